import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PartitionEvent,
  type PartitionState,
  partitionTable,
  stepPartition,
  stepWork,
  type WorkEvent,
  workTable,
} from './batch-loop-machine.js';

type Table = Record<string, Record<string, { effect: string; next: string }>>;

const written = readFileSync(new URL('./batch-loop.SPEC.md', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const rowsOf = (table: Table) => written.filter((cells) => table[cells[1] ?? '']?.[cells[2] ?? '']).map((cells) => cells.slice(1, 5));
const cellsOf = (table: Table) =>
  Object.entries(table).flatMap(([state, row]) => Object.entries(row).map(([event, { effect, next }]) => [state, event, effect, next]));

describe('batch-loop.SPEC.md', () => {
  // Fails if a cell is added or changed without the page that people read, or the page claims one that the code does not have.
  it.each([
    ['the position', partitionTable],
    ['the work', workTable],
  ])('has a row for every cell of %s, as the table is', (_what, table) => {
    expect(rowsOf(table)).toEqual(cellsOf(table));
  });
});

describe('the partition machine', () => {
  const events = Object.keys(partitionTable.held) as PartitionEvent[];
  const states = Object.keys(partitionTable) as PartitionState[];

  // Fails if a position can enter memory before what precedes it is acknowledged, or without having been read or committed (B2).
  it('holds a position only after an acknowledgement, of what was found or of what was committed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 60 }), (happened) => {
        let state: PartitionState = 'released';
        let sent: 'publish' | 'publish-found' | null = null;
        for (const event of happened) {
          const { effect, next } = stepPartition(state, event);
          if (effect === 'publish' || effect === 'publish-found') sent = effect;
          if (effect === 'keep-position') {
            expect([event, sent]).toEqual(['acknowledged', state === 'publishing' ? 'publish' : 'publish-found']);
            sent = null;
          }
          if (next === 'held') expect(effect).toBe('keep-position');
          state = next;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  // Fails if an error leaves a position in memory (B3), or a partition that was given up is worked on (B1).
  it('forgets after every error, and commits only what it holds', () => {
    for (const state of states) {
      expect(stepPartition(state, 'failed').next).toBe(state === 'released' ? 'released' : 'forgotten');
      expect(stepPartition(state, 'released').next).toBe('released');
      if (state !== 'held') expect(stepPartition(state, 'work').effect).not.toBe('commit');
    }
    expect(stepPartition('released', 'work').effect).toBe('fence');
  });
});

describe('the work machine', () => {
  const events = Object.keys(workTable.batch) as WorkEvent[];

  // Fails if a message is blamed for what is committed, or for a server that is away (B6).
  it('makes a dead letter only of one message alone, whose own fault it is', () => {
    for (const state of ['batch', 'alone', 'refusal'] as const) {
      for (const event of events) {
        if (stepWork(state, event).effect === 'dead-letter') expect([state, event]).toEqual(['alone', 'own-fault-last']);
        if (stepWork(state, event).effect === 'done') expect(event).toBe('handled');
      }
      expect(stepWork(state, 'unacknowledged-last').effect).toBe('give-up');
    }
  });
});
