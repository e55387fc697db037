/** Numbers generations in topic order and keeps a question's exclusions for all later ones. Pure. */
import { EXCLUSIONS_MAX, type ExcludedRecord, type QuestionAsked, type QuestionRerun } from '@lacuna/events';
import type { SearchJob } from './search-job.js';

export interface KnownQuestion {
  readonly asked: QuestionAsked;
  readonly exclusions: readonly ExcludedRecord[];
  readonly generations: number;
  /** Causes that already have a generation. */
  readonly causes: ReadonlySet<string>;
}

export type Asking = { readonly type: 'asked'; readonly data: QuestionAsked } | { readonly type: 'rerun'; readonly data: QuestionRerun };

export interface NewGeneration {
  readonly causeId: string;
  readonly job: SearchJob;
}

export interface Numbered {
  readonly questions: ReadonlyMap<string, KnownQuestion>;
  readonly generations: readonly NewGeneration[];
}

/** A rerun came for a question that was never asked here: its topic has it in order, so the question's message is lost. */
export class QuestionUnknownError extends Error {
  override readonly name = 'QuestionUnknownError';
}

/** The cause of a question's first generation: no id that a rerun could carry. */
const FIRST_CAUSE = '(asked)';

/**
 * Applies askings in topic order. A repetition (same question, or same cause) changes nothing.
 * @throws QuestionUnknownError
 */
export function numberGenerations(known: ReadonlyMap<string, KnownQuestion>, askings: readonly Asking[]): Numbered {
  const questions = new Map(known);
  const generations: NewGeneration[] = [];
  for (const asking of askings) {
    const next = asking.type === 'asked' ? first(questions, asking.data) : again(questions, asking.data);
    if (!next) continue;
    questions.set(asking.data.questionId, next.question);
    generations.push(next.generation);
  }
  return { questions, generations };
}

interface Step {
  readonly question: KnownQuestion;
  readonly generation: NewGeneration;
}

function first(questions: ReadonlyMap<string, KnownQuestion>, asked: QuestionAsked): Step | null {
  if (questions.has(asked.questionId)) return null;
  const question = { asked, exclusions: [], generations: 1, causes: new Set([FIRST_CAUSE]) };
  return { question, generation: generationOf(question, FIRST_CAUSE, asked.needsAsOf) };
}

function again(questions: ReadonlyMap<string, KnownQuestion>, rerun: QuestionRerun): Step | null {
  const known = questions.get(rerun.questionId);
  if (!known) throw new QuestionUnknownError(`${rerun.questionId} is to be asked again, but was never asked`);
  if (known.causes.has(rerun.causeId)) return null;
  const question = {
    ...known,
    exclusions: merged(known.exclusions, rerun.exclusions),
    generations: known.generations + 1,
    causes: new Set([...known.causes, rerun.causeId]),
  };
  return { question, generation: generationOf(question, rerun.causeId, later(known.asked.needsAsOf, rerun.needsAsOf ?? null)) };
}

/** Instants of one format: their order is that of their texts. A rerun may ask for later evidence, never for older. */
const later = (asked: string, wanted: string | null): string => (wanted !== null && wanted > asked ? wanted : asked);

/** The newest are kept: a dropped exclusion makes its record a match again, never a no-match. */
function merged(before: readonly ExcludedRecord[], added: readonly ExcludedRecord[]): ExcludedRecord[] {
  const keyOf = (record: ExcludedRecord) => JSON.stringify([record.source, record.recordId, record.version, record.digest]);
  const addedKeys = new Set(added.map(keyOf));
  const kept = before.filter((record) => !addedKeys.has(keyOf(record)));
  return [...kept, ...new Map(added.map((record) => [keyOf(record), record])).values()].slice(-EXCLUSIONS_MAX);
}

function generationOf(question: KnownQuestion, causeId: string, needsAsOf: string): NewGeneration {
  const { intent, ...asked } = question.asked;
  return {
    causeId,
    job: {
      question: { ...asked, intent: { kind: intent.kind, payloadHash: intent.payloadHash } },
      generation: question.generations,
      needsAsOf,
      exclusions: question.exclusions,
    },
  };
}
