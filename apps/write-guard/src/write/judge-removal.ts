/** Whether what was read supports closing or deleting the record that a question names. Pure. */
import type { QuestionAsked, VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';

/**
 * Why it does not; null: it does. Stricter than for a creation, because what is deleted is not made again by a second look: only a question
 * that sees records in every status, answered in full, and no doubt that was accepted by name.
 */
export function removalRefusalOf(asked: QuestionAsked, verdict: VerdictReached, register: Register): string | null {
  // `exists` passes over records in a reusable status: they are still there.
  if (asked.kind === 'exists') return 'kind-unsupported';
  if (verdict.verdict === 'match-review') return 'match-review';
  if (!isComplete(verdict)) return 'evidence-hold';
  return register.acceptedDoubts.length > 0 ? 'doubt-accepted' : null;
}

/** The verdict and its completeness are told side by side; what they disagree on supports nothing. */
const isComplete = ({ verdict, partial, coverage, fromClamped }: VerdictReached): boolean =>
  verdict === 'scoped-no-match' && !partial && coverage === 'complete' && !fromClamped;
