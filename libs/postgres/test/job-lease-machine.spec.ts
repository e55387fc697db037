import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type JobEvent, type JobState, jobTable, stepJob } from './job-lease-machine.js';

const states = Object.keys(jobTable) as JobState[];
const events = Object.keys(jobTable.due) as JobEvent[];
const rows = readFileSync(new URL('../src/job-lease.SPEC.md', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => (states as string[]).includes(cells[1] ?? '') && (events as string[]).includes(cells[2] ?? ''));

describe('job-lease.SPEC.md', () => {
  // Fails if a cell is added or changed without the page that people read.
  it('has a row for every cell of state x event, as the table is', () => {
    const actual = states.flatMap((state) =>
      events.map((event) => [state, event, jobTable[state][event].effect, jobTable[state][event].next]),
    );
    expect(rows.map((cells) => cells.slice(1, 5))).toEqual(actual);
  });
});

describe('the table of a leased job', () => {
  // Fails if somebody whose fence was passed can change a job in any state (J2).
  it('lets no zombie change anything', () => {
    for (const state of states)
      for (const event of events.filter((each) => each.startsWith('zombie-')))
        expect([state, event, stepJob(state, event)]).toEqual([state, event, { effect: 'fenced', next: state }]);
  });

  // Fails if a job could vanish without its holder's settlement or a cancellation of what nobody holds in time.
  it('removes a job only by its holder, or by a cancellation while nobody holds it in time', () => {
    for (const state of states)
      for (const event of events)
        if (stepJob(state, event).effect === 'removed') expect(event === 'settle' || (event === 'cancel' && state !== 'leased')).toBe(true);
  });
});
