import type {
  AuthorisationDecided,
  ExceptionGranted,
  AuthorisationRequested,
  CaseClosed,
  CaseOpened,
  DeliveryCleared,
  DeliveryStalled,
  PermitGranted,
  PermitRefused,
  ReviewDecided,
  WriteSettled,
} from '@lacuna/events';
import { afterNoon, freshId, NOON, sha256Of } from './fresh.js';

const question = () => ({ tenantId: freshId('tenant'), questionId: freshId('question') });

export function anAuthorisationRequested(changes: Partial<AuthorisationRequested> = {}): AuthorisationRequested {
  return {
    ...question(),
    authorisationId: freshId('authorisation'),
    policy: 'manual',
    target: 'service-request',
    keyDigest: sha256Of('key'),
    payloadHash: sha256Of('payload'),
    expiresAt: afterNoon(3_600_000),
    at: afterNoon(4_000),
    ...changes,
  };
}

export function aPermitGranted(changes: Partial<PermitGranted> = {}): PermitGranted {
  return {
    ...question(),
    generation: 1,
    permitId: freshId('permit'),
    authorisationId: freshId('authorisation'),
    receiptHash: sha256Of('receipt'),
    at: afterNoon(4_100),
    ...changes,
  };
}

export function aPermitRefused(changes: Partial<PermitRefused> = {}): PermitRefused {
  return { ...question(), generation: 1, reason: 'evidence-expired', at: afterNoon(4_100), ...changes };
}

/** A record was created. */
export function aWriteSettled(changes: Partial<WriteSettled> = {}): WriteSettled {
  return {
    ...question(),
    generation: 1,
    answer: 'created',
    target: 'service-request',
    keyDigest: sha256Of('key'),
    recordId: freshId('record'),
    reason: null,
    permitId: freshId('permit'),
    at: afterNoon(4_200),
    ...changes,
  };
}

export function aCaseOpened(changes: Partial<CaseOpened> = {}): CaseOpened {
  return {
    ...question(),
    generation: 1,
    caseId: freshId('case'),
    subject: 'evidence-hold',
    registerName: 'service-requests',
    owner: 'intake desk',
    reasons: [{ code: 'source-unavailable', source: 'ledger' }],
    records: [],
    receiptId: freshId('receipt'),
    statement: 'The source ledger of service-requests could not be read; the question stays open.',
    openedAt: afterNoon(5_000),
    ...changes,
  };
}

export function aCaseClosed(changes: Partial<CaseClosed> = {}): CaseClosed {
  return { ...question(), caseId: freshId('case'), outcome: 'resolved', at: afterNoon(6_000), ...changes };
}

export function aReviewDecided(changes: Partial<ReviewDecided> = {}): ReviewDecided {
  return {
    ...question(),
    caseId: freshId('case'),
    decisionId: freshId('decision'),
    decision: 'rerun',
    records: [],
    principal: 'person:reviewer',
    note: null,
    at: afterNoon(6_000),
    ...changes,
  };
}

export function anExceptionGranted(changes: Partial<ExceptionGranted> = {}): ExceptionGranted {
  return {
    ...question(),
    generation: 1,
    exceptionId: freshId('exception'),
    receiptHash: sha256Of('receipt'),
    payloadHash: sha256Of('payload'),
    principal: 'person:approver',
    reason: 'The ledger is away, and the customer waits.',
    expiresAt: afterNoon(3_600_000),
    at: afterNoon(4_060),
    ...changes,
  };
}

export function anAuthorisationDecided(changes: Partial<AuthorisationDecided> = {}): AuthorisationDecided {
  return {
    ...question(),
    authorisationId: freshId('authorisation'),
    decision: 'approved',
    principal: 'person:approver',
    payloadHash: sha256Of('payload'),
    note: null,
    at: afterNoon(4_050),
    ...changes,
  };
}

export function aDeliveryStalled(changes: Partial<DeliveryStalled> = {}): DeliveryStalled {
  return { ...question(), group: 'verdict', message: 'lacuna.searches.v1/0/7', reason: 'handler-failed', at: NOON, ...changes };
}

export function aDeliveryCleared(changes: Partial<DeliveryCleared> = {}): DeliveryCleared {
  return { ...question(), group: 'verdict', message: 'lacuna.searches.v1/0/7', at: NOON, ...changes };
}
