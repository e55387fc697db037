import { describe, expect, it } from 'vitest';
import { aRegister, aSource, at, cleanRead, codesOf, decideOn, DECIDED_AT } from '../test/builders.js';
import type { StartedFacts } from './facts.js';
import { parseInstant } from './instant.js';
import type { ControlRecord } from './register.js';
import { registerProblems } from './register-check.js';

const AGE_MS_MAX = 600_000;
const aControl = (over: Partial<ControlRecord> = {}): ControlRecord => ({
  source: 'crm',
  recordId: 'known-1',
  identifiers: { account: 'acme', reference: 'R-100' },
  ...over,
});
const records = [aControl(), aControl({ recordId: 'known-2', identifiers: { account: 'acme', reference: 'R-200' } })];
const register = aRegister({ controls: { ageMaxMs: AGE_MS_MAX, records } });
const decidedAfterMs = (parseInstant(DECIDED_AT) ?? 0) - (parseInstant(at(0)) ?? 0);

type Result = StartedFacts['controls'][number];
const found = (over: Partial<Result> = {}): Result => ({ source: 'crm', result: 'found', checkedAt: at(0), ...over });
const held = (...controls: Result[]): readonly string[] => codesOf(decideOn(register, [cleanRead('crm')], { controls }));

describe('controls of a source', () => {
  it('that were all found lately support a no-match', () => {
    expect(decideOn(register, [cleanRead('crm')], { controls: [found(), found()] }).verdict).toBe('scoped-no-match');
  });

  it('make up for an attestation that nobody gives, not for one that is over', () => {
    const sighted = (attestation: object) =>
      aRegister({ sources: [{ ...aSource(), ...attestation }], controls: register.controls ?? never() });
    const decided = (attestation: object) => decideOn(sighted(attestation), [cleanRead('crm')], { controls: [found(), found()] }).verdict;
    expect(decided({ attestation: undefined })).toBe('scoped-no-match');
    expect(decided({ attestation: { by: 'ops', until: at(0) } })).toBe('evidence-hold');
  });

  it('hold when one was missed, whatever the other shows; fails when a search that finds nothing at all gives a no-match', () => {
    expect(held(found(), found({ result: 'missed' }))).toEqual(['crm:control-missed']);
  });

  it.each([
    ['a declared one was never checked', [found()]],
    ['none was checked', []],
    ['one is gone', [found(), found({ result: 'stale' })]],
    ['a check is too old', [found(), found({ checkedAt: at(decidedAfterMs - AGE_MS_MAX - 1) })]],
    ['a check lies in the future', [found(), found({ checkedAt: at(decidedAfterMs + 3_600_000) })]],
    ['a check has no readable time', [found(), found({ checkedAt: 'lately' })]],
  ])('hold as stale when %s; fails when an early good reading protects for ever', (_, controls) => {
    expect(held(...controls)).toEqual(['crm:control-stale']);
  });

  it('are trusted up to the last millisecond of their age', () => {
    const last = found({ checkedAt: at(decidedAfterMs - AGE_MS_MAX) });
    expect(held(last, last)).toEqual(['crm:end-signalled']);
  });

  it('of another source say nothing of this one', () => {
    expect(held(found({ source: 'index' }), found({ source: 'index' }))).toEqual(['crm:control-stale']);
  });
});

describe('a register with controls', () => {
  const paths = (...some: ControlRecord[]) =>
    registerProblems(aRegister({ controls: { ageMaxMs: AGE_MS_MAX, records: some } })).map(({ path }) => path);

  it('has two different ones for a source, each with what a question needs', () => {
    expect(paths(...records)).toEqual([]);
    expect(paths(aControl())).toEqual(['controls.records']);
    expect(paths(aControl(), aControl())).toEqual(['controls.records']);
    expect(paths(...records, aControl({ recordId: 'known-3', identifiers: { account: 'acme' } }))).toEqual([
      'controls.records.2.identifiers',
    ]);
  });

  it('names sources that are searched', () => {
    expect(paths(...records.map((record) => ({ ...record, source: 'crn' })))).toEqual([
      'controls.records.0.source',
      'controls.records.1.source',
    ]);
  });
});

const never = (): never => {
  throw new Error('not here');
};
