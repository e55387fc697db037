/** The id of one attempt. Its parts are read from the right, so two attempts never have one id, whatever is in a question's id. */
import { sha256Hex } from '@lacuna/receipts';

/** What is left of an event's 200 characters when generation, source, fence and count have taken theirs. */
const QUESTION_CHARACTERS_MAX = 100;

export interface AttemptParts {
  readonly questionId: string;
  readonly generation: number;
  readonly source: string;
  /** Of the lease: a successor's attempts are new ones. */
  readonly fence: bigint;
  /** From 1, over the source's attempts under this lease. */
  readonly count: number;
}

export function attemptIdOf({ questionId, generation, source, fence, count }: AttemptParts): string {
  const question = questionId.length > QUESTION_CHARACTERS_MAX ? sha256Hex(questionId) : questionId;
  return `${question}.${generation}.${source}.${fence}.${count}`;
}
