import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepWrite, type WriteEvent, type WriteState, writeTable } from './write-machine.js';

const states = Object.keys(writeTable) as WriteState[];
const happenings = Object.keys(writeTable.requested) as WriteEvent[];

const rows = readFileSync(new URL('./write-machine.SPEC.md', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => (states as string[]).includes(cells[1] ?? '') && (happenings as string[]).includes(cells[2] ?? ''));

describe('write-machine.SPEC.md', () => {
  // Fails if a cell is added or changed without the page that people read.
  it('has a row for every cell of state x event, as the table is', () => {
    const written = rows.map(([, state, event, move, next]) => [state, event, move, next]);
    const actual = states.flatMap((state) =>
      happenings.map((event) => [state, event, writeTable[state][event].move, writeTable[state][event].next]),
    );
    expect(written).toEqual(actual);
  });
});

/** A walk of the machine against a model that knows only what a person knows: who approved, and what was seen last. */
interface Model {
  asked: boolean;
  approved: boolean;
  lastSeen: 'no-match' | 'other';
}

const model = (state: WriteState): Model => ({
  asked: !state.startsWith('unasked'),
  approved: state.startsWith('approved'),
  lastSeen: state.endsWith('suspended') ? 'other' : 'no-match',
});

describe('the write machine', () => {
  const sequences = fc.array(fc.constantFrom(...happenings), { maxLength: 40 });

  // Fails if a write comes from anything but a fresh no-match of its own question, or from an approval that lies on one (A1).
  it('writes only on a fresh no-match, approved where a person must', () => {
    fc.assert(
      fc.property(fc.constantFrom<WriteState>('unasked-auto', 'unasked'), sequences, (start, seen) => {
        let state = start;
        let approved = start === 'unasked-auto';
        for (const event of seen) {
          const before = state;
          const { move, next } = stepWrite(state, event);
          if (event.startsWith('approved') && model(before).asked) approved = true;
          if (move === 'write') {
            expect(event === 'fresh-no-match' || event === 'approved-fresh').toBe(true);
            expect(approved).toBe(true);
            expect(event === 'approved-fresh' && model(before).lastSeen === 'other').toBe(false);
          }
          if (move === 'write' || move === 'refuse') approved = start === 'unasked-auto';
          state = next;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  // Fails if an authorisation outlives the match that was seen after it, or its own use (A2, A3).
  it('is over after a write, a refusal, a match of the key, a decline and the end of its time', () => {
    for (const state of states.filter((each) => !each.startsWith('unasked'))) {
      for (const event of ['match', 'match-elsewhere', 'declined', 'expired'] as const)
        expect([state, event, stepWrite(state, event)]).toEqual([state, event, { move: 'refuse', next: 'unasked' }]);
      for (const event of happenings) {
        const { move, next } = stepWrite(state, event);
        if (move === 'write' || move === 'refuse') expect(next).toBe('unasked');
      }
    }
  });

  // Fails if a hold lets an approval through, or an approval is lost while it is suspended (A2).
  it('keeps what a person decided through a hold', () => {
    for (const state of ['requested', 'approved'] as const) {
      const held = stepWrite(state, 'hold').next;
      expect(stepWrite(held, 'approved-fresh').move).not.toBe('write');
      expect(stepWrite(held, 'fresh-no-match')).toEqual(
        state === 'approved' ? { move: 'write', next: 'unasked' } : { move: 'wait', next: 'requested' },
      );
    }
  });
});
