/** What a worker needs to search one generation of one question; the payload of its job. */
import type { ExcludedRecord, QuestionAsked } from '@lacuna/events';

export const searchQueue = 'search';

export interface SearchJob {
  readonly question: Omit<QuestionAsked, 'intent'> & {
    readonly intent: { readonly kind: QuestionAsked['intent']['kind']; readonly payloadHash: string | null };
  };
  readonly generation: number;
  readonly needsAsOf: string;
  /** Of this and all generations before it. */
  readonly exclusions: readonly ExcludedRecord[];
}

export const jobKey = (questionId: string, generation: number): string => `${questionId}:${generation}`;

export const encodeJob = (job: SearchJob): Buffer => Buffer.from(JSON.stringify(job));

export const decodeJob = (payload: Buffer): SearchJob => JSON.parse(payload.toString('utf8')) as SearchJob;
