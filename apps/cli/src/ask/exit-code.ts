/** What a script may conclude from `ask`. Pure. */
import { exitCodes } from '../cli-error.js';
import type { Answer } from './answer.js';

type Concluding = Pick<Answer, 'partial' | 'coverage' | 'from_clamped' | 'state' | 'verdict' | 'write'>;

/**
 * 0 only for a no-match that says of itself that it is complete, with no write left pending. An answer that says less never reads as
 * absence, nor does a verdict that this program does not know.
 */
export function exitCodeOf({ partial, coverage, from_clamped: fromClamped, state, verdict, write }: Concluding): number {
  if (state !== 'decided') return exitCodes.stillReading;
  if (verdict === 'match-review') return exitCodes.matchReview;
  const isComplete = partial === false && coverage === 'complete' && fromClamped === false;
  if (verdict !== 'scoped-no-match' || !isComplete) return exitCodes.evidenceHold;
  return write?.answer === 'pending' ? exitCodes.stillReading : exitCodes.done;
}
