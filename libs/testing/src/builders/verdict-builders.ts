import type { CheckpointSigned, NamedRecord, ReceiptAppended, VerdictReached } from '@lacuna/events';
import { afterNoon, freshId, sha256Of } from './fresh.js';

export function aNamedRecord(changes: Partial<NamedRecord> = {}): NamedRecord {
  const recordId = changes.recordId ?? freshId('record');
  return { source: 'ledger', recordId, version: '1', digest: sha256Of(recordId), status: 'open', ...changes };
}

/** A no-match with everything that supports it. */
export function aVerdictReached(changes: Partial<VerdictReached> = {}): VerdictReached {
  const receiptId = changes.receiptId ?? freshId('receipt');
  return {
    tenantId: freshId('tenant'),
    questionId: freshId('question'),
    generation: 1,
    registerName: 'service-requests',
    registerHash: sha256Of('service-requests'),
    verdict: 'scoped-no-match',
    reasons: [{ code: 'end-signalled', source: 'ledger' }],
    matches: [],
    candidates: [],
    reusable: [],
    boundaries: [{ source: 'ledger', boundary: afterNoon(1_000) }],
    asOf: afterNoon(1_000),
    needsAsOf: afterNoon(0),
    decidedAt: afterNoon(3_100),
    partial: false,
    coverage: 'complete',
    fromClamped: false,
    healsByWaiting: false,
    count: null,
    owner: 'intake desk',
    statement: 'No match in service-requests for these identifiers, up to 2026-01-31T12:00:01.000Z.',
    receiptId,
    receiptHash: sha256Of(receiptId),
    ...changes,
  };
}

/** A record was found. */
export function aMatchReview(changes: Partial<VerdictReached> = {}): VerdictReached {
  const found = { verdict: 'match-review' as const, reasons: [{ code: 'match-found', source: 'ledger' }], matches: [aNamedRecord()] };
  return aVerdictReached({ ...found, statement: 'A record of service-requests matches these identifiers.', ...changes });
}

/** A source could not be read: it heals by waiting. */
export function anEvidenceHold(changes: Partial<VerdictReached> = {}): VerdictReached {
  return aVerdictReached({
    verdict: 'evidence-hold',
    reasons: [{ code: 'source-unavailable', source: 'ledger' }],
    boundaries: [{ source: 'ledger', boundary: null }],
    asOf: null,
    partial: true,
    coverage: 'timed_out',
    healsByWaiting: true,
    statement: 'The source ledger of service-requests could not be read; the question stays open.',
    ...changes,
  });
}

export function aReceiptAppended(changes: Partial<ReceiptAppended> = {}): ReceiptAppended {
  const receiptId = changes.receiptId ?? freshId('receipt');
  return {
    tenantId: freshId('tenant'),
    questionId: freshId('question'),
    generation: 1,
    receiptId,
    receiptHash: sha256Of(receiptId),
    leafIndex: 0,
    envelope: Buffer.from('{"payload":"","payloadType":"","signatures":[]}').toString('base64'),
    at: afterNoon(3_100),
    ...changes,
  };
}

export function aCheckpointSigned(changes: Partial<CheckpointSigned> = {}): CheckpointSigned {
  return {
    tenantId: freshId('tenant'),
    treeSize: 1,
    checkpoint: 'lacuna.example.org/receipts\n1\nqqqq\n',
    at: afterNoon(4_000),
    ...changes,
  };
}
