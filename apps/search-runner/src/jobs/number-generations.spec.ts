import type { ExcludedRecord, QuestionAsked, QuestionRerun } from '@lacuna/events';
import { afterNoon, aQuestionAsked, aQuestionRerun, NOON, sha256Of } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { type Asking, type KnownQuestion, numberGenerations, QuestionUnknownError } from './number-generations.js';

const asked = (changes: Partial<QuestionAsked> = {}): Asking => ({ type: 'asked', data: aQuestionAsked({ questionId: 'q1', ...changes }) });
const rerun = (changes: Partial<QuestionRerun> = {}): Asking => ({ type: 'rerun', data: aQuestionRerun({ questionId: 'q1', ...changes }) });
const excluded = (recordId: string): ExcludedRecord => ({ source: 'ledger', recordId, version: '1', digest: sha256Of(recordId) });
const number = (askings: readonly Asking[], known: ReadonlyMap<string, KnownQuestion> = new Map()) => numberGenerations(known, askings);
const told = (askings: readonly Asking[]) =>
  number(askings).generations.map(({ job }) => `${job.question.questionId} ${job.generation} ${job.exclusions.map((e) => e.recordId)}`);

describe('generations', () => {
  it('are numbered in topic order, per question; fails when numbers come from anywhere but the order of the topic', () => {
    const askings = [asked(), asked({ questionId: 'q2' }), rerun({ causeId: 'c1' }), rerun({ causeId: 'c2' })];
    expect(told(askings)).toEqual(['q1 1 ', 'q2 1 ', 'q1 2 ', 'q1 3 ']);
  });

  it('come once per cause: the same message twice, in one batch or a later one, changes nothing', () => {
    const askings = [asked(), asked(), rerun({ causeId: 'c1' }), rerun({ causeId: 'c1' })];
    const first = number(askings);
    expect(first.generations).toHaveLength(2);
    expect(number(askings, first.questions).generations).toEqual([]);
  });

  it('of a question that is known ignore other content under its id; fails when the second message replaces the first', () => {
    const first = number([asked({ principal: 'agent:one' })]);
    const second = number([asked({ principal: 'agent:two' }), rerun()], first.questions);
    expect(second.generations.map(({ job }) => job.question.principal)).toEqual(['agent:one']);
  });

  it('are not taken for one another when a rerun’s cause is named like the first asking; fails when such a rerun is dropped', () => {
    expect(told([asked(), rerun({ causeId: 'asked' })])).toHaveLength(2);
  });

  it('keep the exclusions of all before them, and give each job those of its own time', () => {
    const askings = [
      asked(),
      rerun({ causeId: 'c1', exclusions: [excluded('a')] }),
      rerun({ causeId: 'c2' }),
      rerun({ causeId: 'c3', exclusions: [excluded('b'), excluded('a')] }),
    ];
    expect(told(askings)).toEqual(['q1 1 ', 'q1 2 a', 'q1 3 a', 'q1 4 b,a']);
  });

  it('drop the oldest exclusions beyond 1,000, and never one that was just decided again', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => excluded(`r${index}`));
    const askings = [
      asked(),
      rerun({ causeId: 'c1', exclusions: many }),
      rerun({ causeId: 'c2', exclusions: [excluded('r0'), excluded('new')] }),
    ];
    const last =
      number(askings)
        .generations.at(-1)
        ?.job.exclusions.map(({ recordId }) => recordId) ?? [];
    expect([last.length, last.includes('r0'), last.includes('new'), last.includes('r1')]).toEqual([1_000, true, true, false]);
  });

  it.each([
    ['a later one if the rerun names one', afterNoon(5_000), afterNoon(5_000)],
    ['the question’s own if it names none', null, NOON],
    ['never an earlier one than the question’s', afterNoon(-5_000), NOON],
  ])('need evidence up to %s', (_, wanted, needed) => {
    const { generations } = number([asked({ needsAsOf: NOON }), rerun({ needsAsOf: wanted })]);
    expect(generations.at(-1)?.job.needsAsOf).toBe(needed);
  });

  it('carry the hash of what is to be written and not the payload; fails when a payload reaches the job table', () => {
    const intent = { kind: 'create' as const, payload: { secret: 'x' }, payloadHash: sha256Of('x') };
    expect(number([asked({ intent })]).generations[0]?.job.question.intent).toEqual({ kind: 'create', payloadHash: sha256Of('x') });
  });

  it('of a question that was never asked are refused: its message is lost, and a rerun alone does not say what to ask', () => {
    expect(() => number([rerun()])).toThrow(QuestionUnknownError);
  });
});
