/** The check of the soak must itself be able to fail: each case is a log with one thing wrong, named by the check that has to find it. */
import { describe, expect, it } from 'vitest';
import { conserved } from './conserved.mjs';

type Facts = Parameters<typeof conserved>[0];
type Logged = Facts['log'][number];

const logged = (topic: string, type: string, id: string, data: object): Logged => ({
  topic,
  key: 't1:q1',
  type: `lacuna.${type}`,
  id,
  value: JSON.stringify({ tenantId: 't1', questionId: 'q1', generation: 1, ...data }),
});
const asked = logged('questions', 'question.asked', 'q1', {});
const started = logged('searches', 'search.started', 'q1:1', {});
const page = (sequence: number) => logged('searches', 'page.read', `a:${sequence}`, { attemptId: 'a', sequence });
const ended = logged('searches', 'search.ended', 'q1:1', {});
const verdict = logged('verdicts', 'verdict.reached', 'q1:1', { verdict: 'scoped-no-match', receiptId: 'r1' });
const receipt = (leafIndex: number, receiptId = 'r1', generation = 1) =>
  logged('receipts', 'receipt.appended', receiptId, { receiptId, leafIndex, generation });
const permit = logged('writes', 'permit.granted', 'p1', {});
const settled = logged('writes', 'write.settled', 'q1:1', { answer: 'created', recordId: 'rec-1' });
const record = { recordId: 'rec-1', key: 'k1' };

const whole: readonly Logged[] = [asked, started, page(0), page(1), ended, verdict, receipt(4), permit, settled];
const problemsOf = (log: readonly Logged[], records = [record]) => Object.keys(conserved({ asked: ['q1'], log, records }).problems);
const without = (one: Logged) => whole.filter((each) => each !== one);
const changed = (one: Logged, data: object): Logged => ({ ...one, value: JSON.stringify({ ...JSON.parse(one.value), ...data }) });
const moved = (one: Logged, before: Logged) => without(one).flatMap((each) => (each === before ? [one, each] : [each]));

describe('the check for conservation', () => {
  it('finds nothing wrong with a whole log, also when all of it is there twice', () => {
    expect(problemsOf(whole)).toEqual([]);
    expect(problemsOf([...whole, ...whole])).toEqual([]);
  });

  it.each<[string, readonly Logged[], readonly string[]]>([
    ['a lost question', without(asked), ['every question that was accepted is in the log']],
    ['a lost verdict', without(verdict), ['every question has a verdict', 'one receipt per verdict']],
    ['a lost receipt', without(whole[6] as Logged), ['one receipt per verdict']],
    ['a lost answer', without(settled), ['each record was created once, and each creation is a record']],
    ['a repetition with other bytes', [...whole, changed(verdict, { verdict: 'evidence-hold' })], ['repetitions have the same bytes']],
    ['a second verdict of a generation', [...whole, { ...verdict, id: 'other' }], ['one verdict per generation']],
    ['a second receipt of a generation', [...whole, receipt(5, 'r2')], ['one receipt per verdict']],
    [
      'a second answer of an attempt',
      [...whole, { ...changed(settled, { answer: 'exists' }), id: 'other' }],
      ['one answer per attempt of a write'],
    ],
    [
      'a gap in the leaves',
      [...whole, changed(receipt(6, 'r9'), { questionId: 'q9' })],
      ['one receipt per verdict', 'leaf indexes without gaps'],
    ],
    ['a page before the one before it', moved(whole[3] as Logged, whole[2] as Logged), ['each key is in order']],
    ['an end before a page', moved(ended, whole[3] as Logged), ['each key is in order']],
    ['a start behind its pages', moved(ended, started), ['each key is in order']],
    ['an answer before its permit', moved(settled, permit), ['each key is in order']],
  ])('finds %s', (_, log, checks) => expect(problemsOf(log)).toEqual(checks));

  it('finds a second record of a key, and a record that nobody was told of', () => {
    const second = { recordId: 'rec-2', key: 'k1' };
    expect(problemsOf(whole, [record, second])).toEqual([
      'one record per key',
      'each record was created once, and each creation is a record',
    ]);
    expect(problemsOf(whole, [])).toEqual(['each record was created once, and each creation is a record']);
  });
});
