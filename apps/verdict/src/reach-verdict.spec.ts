import { encodeEvent, events, type PageRead, RECEIPT_ENVELOPE_CHARACTERS_MAX, type SearchStarted } from '@lacuna/events';
import { decide, foldGeneration, type Register, type SearchEvent } from '@lacuna/evidence';
import { canonicalJson, generateSigningKey, saltedHash, sealReceipt, sha256Hex } from '@lacuna/receipts';
import { afterNoon, aMatchingRow, aSearchedIdentifier, sha256Of, type Search } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { aDecidableRegister, aGeneration, stored } from '../test/a-generation.js';
import type { EvidenceEvent } from './evidence-store.js';
import { reachVerdict } from './reach-verdict.js';

const register = aDecidableRegister();
const salt = Buffer.alloc(32, 7);
const decidedAt = afterNoon(4_000);
const reach = (search: Search | EvidenceEvent[], of: Register = register, at = decidedAt) =>
  reachVerdict({ events: Array.isArray(search) ? search : stored(search), register: of, salt, decidedAt: at });

describe('a verdict', () => {
  it('is the same bytes on every replay, however its events were stored (V4)', () => {
    const search = aGeneration(register, {}, [{ rows: [aMatchingRow()] }, {}]);
    const reordered = stored(search).map((event) => ({ ...event, data: Object.fromEntries(Object.entries(event.data).reverse()) }));
    const bytes = ({ verdict, receipt }: ReturnType<typeof reach>) => Buffer.concat([canonicalJson(verdict), canonicalJson(receipt)]);
    expect(bytes(reach(reordered))).toEqual(bytes(reach(search)));
    expect(JSON.stringify(reach(search))).toBe(JSON.stringify(reach(search)));
    const key = generateSigningKey();
    expect(sealReceipt(reach(search).receipt, key)).toEqual(sealReceipt(reach(search).receipt, key));
  });

  it('of a complete read without a match is a scoped no-match, complete up to its boundary', () => {
    expect(reach(aGeneration(register)).verdict).toMatchObject({
      verdict: 'scoped-no-match',
      partial: false,
      coverage: 'complete',
      asOf: afterNoon(1_000),
      reasons: [{ code: 'end-signalled', source: 'ledger' }],
    });
  });

  it('is about its events and register only: what stands after the first end changes nothing', () => {
    const search = aGeneration(register);
    const late = aGeneration(register, search.started, [{ rows: [aMatchingRow()] }]);
    const events = [...stored(search), ...stored(late).slice(1)].map((event, index) => ({ ...event, position: BigInt(index) }));
    expect(reach(events)).toEqual(reach(search));
  });

  it('says for whom, from what and with which receipt', () => {
    const search = aGeneration(register, { generation: 3 });
    const { verdict, receipt } = reach(search);
    expect(verdict).toMatchObject({
      tenantId: search.started.tenantId,
      questionId: search.started.questionId,
      generation: 3,
      registerHash: register.hash,
      decidedAt,
      owner: 'intake desk',
      receiptId: receipt.receiptId,
      receiptHash: sha256Hex(canonicalJson(receipt)),
    });
    expect(() => encodeEvent(events.verdictReached, verdict, 'verdict')).not.toThrow();
  });
});

/** Verdicts of the deciders below on searches that show a match, each with one thing done to its log. */
const hostile = (): readonly (readonly [string, EvidenceEvent[]])[] => {
  const whole = aGeneration(register, {}, [{ rows: [aMatchingRow()] }, {}]);
  const changed = (change: (page: PageRead) => PageRead) =>
    stored({ ...whole, pages: [change(whole.pages[0] as PageRead), ...whole.pages.slice(1)] });
  const all = stored(whole);
  return [
    ['a page is lost', all.filter((_, index) => index !== 1)],
    ['the last page is lost', all.filter((_, index) => index !== 2)],
    ['a matching row is taken out of a page', changed((page) => ({ ...page, rows: [] }))],
    [
      'a row is called different',
      changed((page) => ({ ...page, rows: [aMatchingRow({ results: { account: 'agree', reference: 'differ' } })] })),
    ],
    [
      'a page comes twice, with other content',
      stored(aGeneration(register)).map((event, index) => ({ ...event, conflicting: index === 1 })),
    ],
  ];
};

type Decider = (events: EvidenceEvent[]) => string;
const supporting = (decider: Decider): string[] => hostile().flatMap(([what, log]) => (decider(log) === 'scoped-no-match' ? [what] : []));

/** Takes each page’s word for its hash, and a repetition for harmless. */
const trusting: Decider = (log) => {
  const types: Record<string, string> = { [events.searchStarted.type]: 'search.started', [events.pageRead.type]: 'page.read' };
  const search = log.map(({ type, data }) => ({ type: types[type] ?? 'search.ended', data })) as SearchEvent[];
  const folded = foldGeneration(search, (page) => page.hash);
  return decide({ ...folded, chainIntact: true }, register, decidedAt).verdict;
};

describe('a log that does not add up', () => {
  it('never supports a no-match', () => {
    expect(supporting((log) => reach(log).verdict.verdict)).toEqual([]);
  });

  it('would, if hashes and repetitions were not checked: the same cases find it (negative control)', () => {
    expect(supporting(trusting)).toEqual([
      'a matching row is taken out of a page',
      'a row is called different',
      'a page comes twice, with other content',
    ]);
  });

  it('is a hold that says so', () => {
    const reasons = hostile().map(([, log]) => reach(log).verdict.reasons.map(({ code }) => code));
    expect(reasons.every((codes) => codes.includes('evidence-incomplete'))).toBe(true);
  });
});

describe('a receipt', () => {
  it('has the question, its method and its boundary in their groups', () => {
    const exclusions = [{ source: 'ledger', recordId: 'r1', version: null, digest: sha256Of('r1') }];
    const started = {
      exclusions,
      intent: 'create',
      payloadHash: sha256Of('p'),
      attestations: [{ source: 'ledger', by: 'ops', until: afterNoon(9e6) }],
    };
    const { receipt } = reach(aGeneration(register, started as Partial<SearchStarted>));
    expect(receipt.question).toMatchObject({
      kind: 'exists',
      registerId: 'service-requests',
      registerHash: register.hash,
      identifiers: [
        { name: 'account', kind: 'scope', provenance: 'person', value: 'acme' },
        { name: 'reference', kind: 'key', provenance: 'person', value: 'SR-1' },
      ],
      intent: { action: 'create', payloadHash: sha256Of('p') },
    });
    expect(receipt.method).toMatchObject({
      sources: [{ source: 'ledger', role: 'deciding', filters: { drift: 'keyset', predicate: 'same' } }],
      policy: { identifiers: register.identifiers, status: register.status, moves: register.moves },
      exclusions: [{ source: 'ledger', recordId: 'r1', version: null, fieldsDigest: sha256Of('r1') }],
    });
    expect(receipt.boundary).toMatchObject({
      asOf: afterNoon(1_000),
      decidedAt,
      perSource: [{ source: 'ledger', boundary: afterNoon(1_000) }],
    });
    expect(receipt.traversal.attestations).toMatchObject([{ source: 'ledger', owner: 'ops' }]);
  });

  it('has what was traversed: sums of the attempt that counts, its stop, its last hash, its doubts; a total is never made up', () => {
    const search = aGeneration(register, {}, [{ records: 2, bytes: 10, rowsWithoutKey: 1 }, { records: 1, bytes: 5, doubts: ['truncated'] }]); // prettier-ignore
    const { receipt } = reach(search);
    expect(receipt.traversal.sources).toEqual([
      {
        source: 'ledger',
        attemptId: search.pages[0]?.attemptId,
        pages: 2,
        records: 3,
        bytes: 15,
        stopReason: 'end-signalled',
        doubts: ['truncated'],
        lastPageHash: search.pages[1]?.hash,
      },
    ]);
    expect([receipt.traversal.rowsWithoutKey, receipt.verdict.verdict, receipt.verdict.partial]).toEqual([1, 'evidence-hold', true]);
  });

  it('shows a doubt that only deciding found; fails when a hold’s receipt reads like a clean traversal', () => {
    const unattested = aDecidableRegister({ sources: register.sources.map(({ attestation: _, ...source }) => source) });
    expect(reach(aGeneration(unattested), unattested).receipt.traversal.sources[0]?.doubts).toContain('visibility-limited');
  });

  it('names matches, candidates and records in a reusable status where they belong', () => {
    const near = { account: 'agree', reference: 'missing' } as const;
    const rows = [
      aMatchingRow({ recordId: 'm', version: '7' }),
      aMatchingRow({ recordId: 'r', status: 'closed' }),
      aMatchingRow({ recordId: 'c', results: near }),
    ];
    const { receipt, verdict } = reach(aGeneration(register, {}, [{ rows }]));
    expect(receipt.verdict.matches).toEqual([{ source: 'ledger', recordId: 'm', version: '7' }]);
    expect(receipt.traversal.reusable).toEqual([{ source: 'ledger', recordId: 'r', version: '1', status: 'closed' }]);
    expect([receipt.verdict.verdict, receipt.verdict.candidates]).toEqual(['match-review', verdict.candidates.map(({ source, recordId, version }) => ({ source, recordId, version }))]); // prettier-ignore
    expect(verdict.matches).toMatchObject([{ recordId: 'm', digest: sha256Of('m') }]);
    expect('count' in receipt.verdict).toBe(false);
  });

  it('names an accepted doubt with who accepts it, and calls itself partial', () => {
    const accepted = { source: 'ledger', doubt: 'drift-possible', owner: 'ann', reason: 'rows stay', until: afterNoon(9e6) } as const;
    const drifting = aDecidableRegister({
      sources: register.sources.map((source) => ({ ...source, drift: 'none' as const })),
      acceptedDoubts: [accepted],
      policy: 'manual',
    });
    const { receipt } = reach(aGeneration(drifting, {}, [{ doubts: [] }, { doubts: ['drift-possible'] }]), drifting);
    expect([receipt.verdict.verdict, receipt.verdict.partial]).toEqual(['scoped-no-match', true]);
    expect(receipt.traversal.acceptedDoubts).toMatchObject([
      { code: 'drift-possible', source: 'ledger', owner: 'ann', reason: 'rows stay' },
    ]);
  });

  it('carries the control results that the search had', () => {
    const controls = [{ source: 'ledger', result: 'missed' as const, checkedAt: afterNoon(0) }];
    const { receipt } = reach(aGeneration(register, { controls }));
    expect(receipt.traversal.controls).toEqual([
      { source: 'ledger', controlId: 'ledger.1', result: 'control-missed', checkedAt: afterNoon(0) },
    ]);
  });
});

describe('personal values', () => {
  const personal = aDecidableRegister({
    identifiers: { reference: { kind: 'key', normalise: [] }, email: { kind: 'hint', normalise: [], personal: true } },
  });
  const identifiers = [aSearchedIdentifier({ value: 'SR-1' }), aSearchedIdentifier({ name: 'email', value: 'ann@example.org' })];
  const search = aGeneration(personal, { identifiers, principal: 'person:ann-from-accounts' });

  it('are hashed with the question’s salt, and stand nowhere in receipt or verdict in the clear', () => {
    const reached = reach(search, personal);
    expect(reached.receipt.question.identifiers[1]).toMatchObject({ name: 'email', valueHash: saltedHash(salt, 'ann@example.org') });
    expect(reached.receipt.question.principal).toEqual({ valueHash: saltedHash(salt, 'person:ann-from-accounts') });
    expect(JSON.stringify(reached)).not.toMatch(/ann@example|ann-from-accounts/);
    expect(reached.verdict.statement).toContain('SR-1');
  });

  it('cannot be compared between questions: another salt gives another hash', () => {
    const hashes = [salt, Buffer.alloc(32, 8)].map((each) => {
      const { receipt } = reachVerdict({ events: stored(search), register: personal, salt: each, decidedAt });
      return receipt.question.identifiers[1]?.valueHash;
    });
    expect(new Set(hashes).size).toBe(2);
  });

  it('may be in an identifier that the register does not list, even one that is named like an object’s own members: hashed too', () => {
    const odd = ['constructor', 'nickname'].map((name) => aSearchedIdentifier({ name, value: 'ann@example.org' }));
    const reached = reach(aGeneration(personal, { identifiers: [...identifiers, ...odd] }), personal);
    expect(JSON.stringify(reached)).not.toContain('ann@example');
    expect(reached.verdict.verdict).toBe('evidence-hold');
  });
});

describe('a verdict with more than one message can carry', () => {
  const long = (name: string, index: number) => `${name}-${index}-`.padEnd(500, 'é');
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => aMatchingRow({ recordId: long('m', from + index), version: long('v', index) }));
  const pages = [0, 1, 2].map((page) => ({ rows: rows(page * 400, 400) }));
  const exclusions = Array.from({ length: 1_000 }, (_, index) => ({
    source: 'ledger',
    recordId: long('x', index),
    version: long('v', index),
    digest: sha256Of(`${index}`),
  }));
  const { verdict, receipt } = reach(aGeneration(register, { kind: 'enumerate', exclusions }, pages));

  it('lists fewer records and says how many it left out; fails when what is unlisted is not counted', () => {
    const listed = receipt.verdict.matches.length;
    expect(listed).toBeGreaterThan(0);
    expect(receipt.verdict.unlisted).toEqual({
      matches: 1_200 - listed,
      candidates: 0,
      reusable: 0,
      exclusions: 1_000 - receipt.method.exclusions.length,
    });
    expect(verdict.matches.map(({ recordId }) => recordId)).toEqual(receipt.verdict.matches.map(({ recordId }) => recordId));
    expect(verdict.verdict).toBe('match-review');
  });

  it('fits its events; fails when a receipt that was signed can never be published, and its partition waits for ever', () => {
    const envelope = sealReceipt(receipt, generateSigningKey()).envelopeBytes.toString('base64');
    expect(envelope.length).toBeLessThanOrEqual(RECEIPT_ENVELOPE_CHARACTERS_MAX);
    expect(encodeEvent(events.verdictReached, verdict, 'verdict').value.byteLength).toBeLessThan(1_000_000);
  });

  it('lists all where there is room', () => {
    const small = reach(aGeneration(register, { kind: 'enumerate' }, [{ rows: Array.from({ length: 500 }, () => aMatchingRow()) }]));
    expect([small.receipt.verdict.matches.length, small.receipt.verdict.unlisted.matches]).toEqual([500, 0]);
  });
});
