import { describe, expect, it } from 'vitest';
import { anAnswer } from '../../test/an-answer.js';
import { coloursFor } from '../colours.js';
import { answerText } from './answer-text.js';

const plain = coloursFor(false);
const record = (recordId: string | null) => ({ source: 'ledger', recordId, version: '3', status: 'open' });

describe('an answer on a terminal', () => {
  it('says first how complete it is, and last what to do with it', () => {
    const lines = answerText(anAnswer(), plain).trimEnd().split('\n');
    expect(lines[0]).toBe('scoped-no-match  not partial, coverage complete');
    expect(lines.at(-1)).toBe('No match in this register.');
  });

  it('names reasons, records, owner and cases', () => {
    const reasons = [{ code: 'timed-out', source: 'ledger', meaning: 'The source did not answer in time.' }];
    const text = answerText(
      anAnswer({ verdict: 'evidence-hold', partial: true, reasons, candidates: [record('SR-1')], owner: 'desk', caseIds: ['c-1'] }),
      plain,
    );
    expect(text).toContain('timed-out (ledger): The source did not answer in time.');
    expect(text).toContain('SR-1 in ledger (status open, version 3)');
    expect(text).toContain('owner: desk');
    expect(text).toContain('cases: c-1');
  });

  it.each([
    [
      'a match',
      { verdict: 'match-review', matches: [record('SR-1')] },
      'next: lacuna case c-1, then lacuna decide c-1 same|different|rerun',
    ],
    ['a hold without candidates', { verdict: 'evidence-hold' }, 'next: lacuna case c-1, then lacuna decide c-1 rerun'],
  ])('says what to do next with %s; fails when a person must guess the command', (_, changes, next) => {
    expect(answerText(anAnswer({ ...changes, caseIds: ['c-1'] }), plain)).toContain(next);
  });

  it('shows what a person decided instead of asking again; fails when a decided case still asks for a decision', () => {
    const review = { decision: 'same', caseId: 'c-1', at: '2026-01-01T00:00:00.000Z' };
    const text = answerText(anAnswer({ verdict: 'match-review', caseIds: ['c-1'], review }), plain);
    expect(text).toContain('review: same (case c-1, 2026-01-01T00:00:00.000Z)');
    expect(text).not.toContain('next:');
  });

  it('counts what it does not list; fails when 25 matches look like 20', () => {
    const matches = Array.from({ length: 25 }, (_, index) => record(`SR-${index}`));
    const text = answerText(anAnswer({ verdict: 'match-review', matches, unlisted: { matches: 3, candidates: 0 } }), plain);
    expect(text).toContain('and 8 more');
  });

  it('gives a count where the answer claims one, 0 included, and none where it does not; fails when a list is counted', () => {
    expect(answerText(anAnswer({ count: 0 }), plain)).toContain('count: 0');
    expect(answerText(anAnswer({ count: null, matches: [record('SR-1')] }), plain)).not.toContain('count:');
  });

  it('says that an id is not shown; fails when a covered match looks like none', () => {
    expect(answerText(anAnswer({ verdict: 'match-review', matches: [record(null)] }), plain)).toContain('(id not shown) in ledger');
  });

  it('shows escape sequences from a record instead of obeying them; fails when a record can repaint the verdict', () => {
    const text = answerText(anAnswer({ statement: 'a\u001b[2Jb\u009bc', matches: [record('x\u001b[31m\ny')] }), plain);
    expect(text).toContain('a\\u001b[2Jb\\u009bc');
    expect(text).toContain('x\\u001b[31m\\u000ay');

    expect(text).not.toMatch(/[\u001b\u009b]/);
  });

  it('has colours only where they were asked for', () => {
    expect(answerText(anAnswer(), coloursFor(true))).toMatch(/\u001b\[32m/);
    expect(answerText(anAnswer(), plain)).not.toContain('\u001b');
  });
});
