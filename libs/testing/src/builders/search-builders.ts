import type { EndedSource, MatchingRow, MissRecorded, PageRead, SearchedIdentifier, SearchEnded, SearchStarted } from '@lacuna/events';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { afterNoon, freshId, NOON, sha256Of } from './fresh.js';
import { aReadBudget } from './question-builders.js';

export const FIRST_HASH = '0'.repeat(64);

export function aSearchedIdentifier(changes: Partial<SearchedIdentifier> = {}): SearchedIdentifier {
  return { name: 'reference', value: freshId('sr'), provenance: 'person', lookup: null, ...changes };
}

export function aSearchStarted(changes: Partial<SearchStarted> = {}): SearchStarted {
  return {
    tenantId: freshId('tenant'),
    questionId: freshId('question'),
    generation: 1,
    registerName: 'service-requests',
    registerHash: sha256Of('service-requests'),
    kind: 'exists',
    identifiers: [aSearchedIdentifier({ name: 'account', value: 'acme' }), aSearchedIdentifier()],
    principal: 'agent:intake',
    intent: 'none',
    payloadHash: null,
    askedAt: NOON,
    needsAsOf: NOON,
    budget: aReadBudget(),
    sources: ['ledger'],
    exclusions: [],
    knownGaps: [],
    controls: [],
    attestations: [],
    startedAt: afterNoon(100),
    ...changes,
  };
}

/** A row that agrees in every identifier. */
export function aMatchingRow(changes: Partial<MatchingRow> = {}): MatchingRow {
  const recordId = changes.recordId ?? freshId('record');
  return {
    recordId,
    version: '1',
    digest: sha256Of(recordId),
    results: { account: 'agree', reference: 'agree' },
    status: 'open',
    followedTo: null,
    ...changes,
  };
}

/** The only page of an empty source, read two seconds after noon. `hash` fits the rest unless it is given. */
export function aPageRead(changes: Partial<PageRead> = {}): PageRead {
  const questionId = changes.questionId ?? freshId('question');
  const generation = changes.generation ?? 1;
  const source = changes.source ?? 'ledger';
  const { hash, ...rest }: Omit<PageRead, 'hash'> & { hash?: string } = {
    tenantId: freshId('tenant'),
    questionId,
    generation,
    source,
    attemptId: `${questionId}:${generation}:${source}:1:1`,
    sequence: 0,
    pass: 1,
    previousHash: FIRST_HASH,
    requestFingerprint: sha256Of('request'),
    cursorFingerprint: null,
    nextCursorFingerprint: null,
    startedAt: afterNoon(2_000),
    endedAt: afterNoon(2_050),
    status: 200,
    records: changes.rows?.length ?? 0,
    bytes: 2,
    rowsWithoutKey: 0,
    end: 'signalled',
    stop: 'end-signalled',
    doubts: [],
    bodySha256: sha256Of('[]'),
    idsDigest: sha256Of(''),
    rows: [],
    remarks: null,
    ...changes,
  };
  return { ...rest, hash: hash ?? sha256Hex(canonicalJson(rest)) };
}

export function anEndedSource(changes: Partial<EndedSource> = {}): EndedSource {
  return {
    source: 'ledger',
    attemptId: freshId('attempt'),
    pages: 1,
    lastHash: sha256Of('page'),
    stopReason: 'end-signalled',
    doubts: [],
    startedAt: afterNoon(2_000),
    endedAt: afterNoon(2_050),
    attempts: 1,
    pagesOfAllAttempts: changes.pages ?? 1,
    ...changes,
  };
}

export function aSearchEnded(changes: Partial<SearchEnded> = {}): SearchEnded {
  return {
    tenantId: freshId('tenant'),
    questionId: freshId('question'),
    generation: 1,
    sources: [anEndedSource()],
    endedAt: afterNoon(3_000),
    ...changes,
  };
}

export function aMissRecorded(changes: Partial<MissRecorded> = {}): MissRecorded {
  return {
    tenantId: freshId('tenant'),
    questionId: freshId('question'),
    scope: 'search-tool:acme',
    misses: 1,
    stopped: false,
    at: NOON,
    ...changes,
  };
}
