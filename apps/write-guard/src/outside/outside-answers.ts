/** What an outcome of the outside system means for the attempt: its answer, and what is asked next. Pure. */
import type { OutsideOutcome } from '@lacuna/connectors';
import { type EncodedEvent, encodeEvent, events } from '@lacuna/events';
import { permitOf, type Outcome, type Settlement, settled } from '../write/write-answers.js';
import type { Attempt } from '../write/write-desk.js';

/** Sends of one attempt that came to nothing because nothing was processed; then it is refused. */
export const SENDS_MAX = 5;
/** Unknown outcomes of one question after each of which it is asked again; then a person has to. */
export const UNKNOWN_RERUNS_MAX = 3;

/** Details of a refusal that are reasons of ours: nothing was sent. */
const CONTRARY: readonly string[] = ['match-review', 'evidence-hold', 'evidence-expired'];

export type FinalOutcome = Exclude<OutsideOutcome, { type: 'not-sent' }>;

export function outsideSettlement(attempt: Attempt, outcome: FinalOutcome, clearAt: Date, mayAskAgain: boolean, now: Date): Settlement {
  const { permitId } = permitOf(attempt);
  const answer = answerOf(outcome);
  const after = outcome.type === 'unknown' && mayAskAgain ? [reconciliation(attempt, clearAt, now)] : [];
  const settlement = settled(attempt, { ...answer, permitId }, now, []);
  return { ...settlement, events: [...settlement.events, ...after] };
}

function answerOf(outcome: FinalOutcome): Outcome {
  switch (outcome.type) {
    case 'created':
      return { answer: 'created', recordId: outcome.recordId };
    case 'exists':
      return { answer: 'exists', recordId: outcome.recordId, reason: outcome.recordId === null ? 'sent-before' : 'conflict' };
    case 'refused':
      return { answer: 'refused', reason: CONTRARY.includes(outcome.detail) ? outcome.detail : 'target-refused' };
    case 'unknown':
      return { answer: 'unknown', reason: 'outcome-unknown' };
  }
}

/** The sources are read again, later than anything of this send could still come into being. */
function reconciliation({ verdict }: Attempt, clearAt: Date, now: Date): EncodedEvent {
  const { tenantId, questionId, generation } = verdict;
  const needsAsOf = new Date(clearAt.getTime() + 1).toISOString();
  const rerun = {
    tenantId,
    questionId,
    causeId: `unknown.${generation}`,
    cause: 'outcome-unknown',
    exclusions: [],
    needsAsOf,
    at: now.toISOString(),
  };
  return encodeEvent(events.questionRerun, rerun, 'write-guard');
}
