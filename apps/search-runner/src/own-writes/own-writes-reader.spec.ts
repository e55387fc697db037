import type { Register } from '@lacuna/evidence';
import { compareRow, keyPolicy } from '@lacuna/evidence';
import { canonicalJson, keyDigest, sha256Hex } from '@lacuna/receipts';
import { aRegister, aRegisterWithTarget, aSearchedIdentifier, NOON } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import type { SlotLookup, SlotReading } from './own-writes-client.js';
import { OwnWritesReader } from './own-writes-reader.js';
import type { SlotAnswer } from './slot-answer.js';

const identifiers = [aSearchedIdentifier({ name: 'account', value: 'acme' }), aSearchedIdentifier({ value: ' SR-1 ' })];
const register = aRegisterWithTarget();

async function readSlot(slot: Partial<SlotAnswer> | (SlotReading & { ok: false }), of: Register = register, asked = identifiers) {
  const lookups: SlotLookup[] = [];
  const read = async (lookup: SlotLookup): Promise<SlotReading> => {
    lookups.push(lookup);
    if ('ok' in slot) return slot as SlotReading;
    const answer = { keyDigest: lookup.keyDigest, state: 'free' as const, recordId: null, status: null, clearAt: null, ...slot };
    return { ok: true, slot: answer, startedAt: NOON, endedAt: NOON, body: Buffer.from('{}') };
  };
  const reader = new OwnWritesReader({ client: { read }, tenantId: 't1', register: of, identifiers: asked });
  return { outcome: await reader.read(), lookups };
}

async function pageOf(slot: Partial<SlotAnswer>, of?: Register) {
  const { outcome } = await readSlot(slot, of);
  if (outcome.type !== 'page') throw new Error(outcome.detail);
  return outcome;
}

describe('own-writes as a source', () => {
  it('looks its slot up by the digest that write-guard takes of the normalised key', async () => {
    const { lookups } = await readSlot({});
    expect(lookups).toEqual([
      {
        tenantId: 't1',
        target: 'service-request',
        keyPolicy: sha256Hex(canonicalJson(keyPolicy(register))),
        keyDigest: keyDigest('service-request-key-v1', ['sr-1']),
      },
    ]);
  });

  it('is an empty page that has ended when the slot is free', async () => {
    expect(await pageOf({})).toMatchObject({ rows: [], observed: { end: 'signalled', reasons: [] } });
  });

  it('is a row on which every key agrees when the slot is settled; fails when a record of ours could go unseen', async () => {
    const { rows } = await pageOf({ state: 'settled', recordId: 'rec-1', status: 'open' });
    expect(rows).toMatchObject([{ recordId: 'rec-1', status: 'open' }]);
    expect(compareRow(register.identifiers, identifiers, rows[0] as never, []).outcome).toBe('match');
  });

  it('holds while a write is under way, and where one arrived that nobody knows the record of', async () => {
    expect(await pageOf({ state: 'in-flight' })).toMatchObject({ rows: [], observed: { reasons: ['write-in-flight'] } });
    expect(await pageOf({ state: 'arrived' })).toMatchObject({ rows: [], observed: { reasons: ['own-write-missing'] } });
  });

  it('is a row with its moment where the target is outside: the core says what it stands for beside the other sources', async () => {
    const unknown = await pageOf({ state: 'unknown', recordId: 'write:1:5', clearAt: NOON });
    expect(unknown).toMatchObject({ rows: [{ recordId: 'write:1:5', ownWrite: { outcome: 'unknown', clearAt: NOON } }] });
    const known = await pageOf({ state: 'settled', recordId: 'T-1', clearAt: NOON });
    expect(known).toMatchObject({ rows: [{ recordId: 'T-1', ownWrite: { outcome: 'known', clearAt: NOON } }], observed: { reasons: [] } });
  });

  it.each(['source-unavailable', 'source-forbidden', 'timed-out', 'response-invalid'] as const)('passes on %s', async (reason) => {
    expect((await readSlot({ ok: false, reason, status: null, detail: '' })).outcome).toMatchObject({ type: 'failure', reason });
  });

  it.each([
    ['the register has no target', aRegister(), identifiers],
    ['a key was not asked', register, identifiers.slice(0, 1)],
    ['a key is empty once normalised', register, [aSearchedIdentifier({ value: '  ' })]],
  ])('cannot be looked up when %s: a reason, and nothing is asked', async (_, of, asked) => {
    const { outcome, lookups } = await readSlot({}, of, asked);
    expect([outcome, lookups]).toMatchObject([{ type: 'failure', reason: 'field-unavailable' }, []]);
  });

  it('keeps a personal key out of its fingerprint; fails when anyone could try a list of names against the log', async () => {
    const personal = (value: string) => {
      const rules = { reference: { kind: 'key' as const, normalise: [], personal: true } };
      const reading = readSlot({}, aRegisterWithTarget({ identifiers: rules }), [aSearchedIdentifier({ value })]);
      return reading.then(({ outcome }) => (outcome.type === 'page' ? outcome.requestFingerprint : null));
    };
    expect(await personal('ann')).toBe(await personal('bob'));
  });
});
