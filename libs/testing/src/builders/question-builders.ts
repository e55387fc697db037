import type { Identifier, Intent, QuestionAsked, QuestionRerun, ReadBudget } from '@lacuna/events';
import { freshId, NOON, sha256Of } from './fresh.js';

export function anIdentifier(changes: Partial<Identifier> = {}): Identifier {
  return { name: 'reference', value: freshId('sr'), provenance: 'person', ...changes };
}

export function aReadBudget(changes: Partial<ReadBudget> = {}): ReadBudget {
  return { pagesMax: 100, recordsMax: 10_000, bytesMax: 10_000_000, elapsedMsMax: 60_000, ...changes };
}

export function anIntent(changes: Partial<Intent> = {}): Intent {
  return { kind: 'none', payload: null, payloadHash: null, ...changes };
}

/** "Does a request with this reference exist?" */
export function aQuestionAsked(changes: Partial<QuestionAsked> = {}): QuestionAsked {
  return {
    tenantId: freshId('tenant'),
    questionId: freshId('question'),
    registerName: 'service-requests',
    registerHash: sha256Of('service-requests'),
    kind: 'exists',
    identifiers: [anIdentifier({ name: 'account', value: 'acme' }), anIdentifier()],
    principal: 'agent:intake',
    budget: aReadBudget(),
    intent: anIntent(),
    askedAt: NOON,
    needsAsOf: NOON,
    ...changes,
  };
}

export function aQuestionRerun(changes: Partial<QuestionRerun> = {}): QuestionRerun {
  return {
    tenantId: freshId('tenant'),
    questionId: freshId('question'),
    causeId: freshId('cause'),
    cause: 'asked-again',
    exclusions: [],
    needsAsOf: null,
    at: NOON,
    ...changes,
  };
}
