import { ReceiptInput, ReceiptVerdict, SourceTraversal } from '../src/index.js';

const noMatch: ReceiptVerdict = {
  verdict: 'scoped-no-match',
  partial: false,
  coverage: 'complete',
  fromClamped: false,
  reasons: [],
  matches: [],
  candidates: [],
  unlisted: { matches: 0, candidates: 0, reusable: 0 },
  owner: 'intake-desk',
  statement:
    'No open request with this account and title in register requests-open, as of 2026-01-31T12:00:00.000Z. Everything declared was read.',
};

export const aMatch = { source: 'tickets', recordId: 'T-1', version: '7' };

export const aWalk = (over: Partial<SourceTraversal> = {}): SourceTraversal => ({
  source: 'tickets',
  attemptId: 'att_1',
  pages: 3,
  records: 250,
  bytes: 81_920,
  stopReason: 'end-signalled',
  doubts: [],
  lastPageHash: 'b'.repeat(64),
  ...over,
});

/** A valid scoped-no-match over one deciding source. */
export const aReceiptInput = (over: { [G in keyof ReceiptInput]?: Partial<ReceiptInput[G]> } = {}): ReceiptInput => ({
  question: {
    tenantId: 'acme',
    questionId: 'q_1',
    generation: 1,
    kind: 'exists',
    registerId: 'requests-open',
    registerHash: 'a'.repeat(64),
    identifiers: [{ name: 'account', kind: 'key', provenance: 'system', value: '4711' }],
    principal: { value: 'agent:intake' },
    intent: { action: 'create', payloadHash: 'c'.repeat(64) },
    ...over.question,
  },
  method: {
    sources: [{ source: 'tickets', role: 'deciding', authority: 'original', method: 'enumeration', filters: { account: '4711' } }],
    policy: { normalisers: ['trim'], statusRules: { closed: 'reusable' } },
    protection: null,
    exclusions: [],
    ...over.method,
  },
  boundary: {
    asOf: '2026-01-31T12:00:00.000Z',
    needsAsOf: '2026-01-31T11:59:59.000Z',
    decidedAt: '2026-01-31T12:00:05.000Z',
    perSource: [{ source: 'tickets', boundary: '2026-01-31T12:00:00.000Z' }],
    ...over.boundary,
  },
  traversal: {
    sources: [aWalk()],
    rowsWithoutKey: 0,
    reusable: [],
    unknownSlots: [],
    controls: [{ source: 'tickets', controlId: 'T-0', result: 'found', checkedAt: '2026-01-31T11:00:00.000Z' }],
    attestations: [],
    acceptedDoubts: [],
    ...over.traversal,
  },
  verdict: { ...noMatch, ...over.verdict },
});

/** What turns the builder's no-match into a hold. */
export const aHold: Partial<ReceiptVerdict> = {
  verdict: 'evidence-hold',
  partial: true,
  coverage: 'timed_out',
  reasons: [{ code: 'budget-time', source: 'tickets' }],
  statement: 'Not found in the part of requests-open that was read; the rest is unknown.',
};
