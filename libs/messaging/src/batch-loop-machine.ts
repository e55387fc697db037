/**
 * What one partition may do next, as two pure tables of state x event; batch-loop.SPEC.md has a row for every cell, and the test of each
 * invariant. `partitionTable` is about the position (OwnedPartition steps it), `workTable` about what a failure means for the messages
 * in hand (BatchLoop steps it). A cell `bug` cannot happen while adapters make one call at a time; it stops the consumer, uncommitted.
 */

/**
 * `released`: not ours. `forgotten`: ours, and what was in memory may be wrong. `reading`: the position row is read. `repeating`: the outbox
 * row found is published. `held`: the position is in memory, and everything before it is acknowledged. `committing`: the one transaction
 * of a batch. `publishing`: committed, and not acknowledged.
 */
export type PartitionState = 'released' | 'forgotten' | 'reading' | 'repeating' | 'held' | 'committing' | 'publishing';

/**
 * `taken`: the adapter gives us the partition. `work`: there is something at or behind the position. `found`, `outside`: the position read
 * is within the log, or not. `moved`: somebody else moved the position row, or removed it. `failed`: any error.
 */
export type PartitionEvent = 'taken' | 'work' | 'found' | 'outside' | 'moved' | 'committed' | 'acknowledged' | 'failed' | 'released';

export type PartitionEffect =
  'read-position' | 'publish-found' | 'keep-position' | 'commit' | 'publish' | 'fence' | 'stop' | 'forget' | 'nothing' | 'bug';

export interface PartitionStep {
  readonly effect: PartitionEffect;
  readonly next: PartitionState;
}

const then = (effect: PartitionEffect, next: PartitionState): PartitionStep => ({ effect, next });
const bug = then('bug', 'forgotten');

/** As in every state: taken anew, failed, released; the rest is a bug until a state says otherwise. */
const everywhere = {
  taken: then('read-position', 'reading'),
  work: bug,
  found: bug,
  outside: bug,
  moved: bug,
  committed: bug,
  acknowledged: bug,
  failed: then('forget', 'forgotten'),
  released: then('forget', 'released'),
};

export const partitionTable: { readonly [S in PartitionState]: { readonly [E in PartitionEvent]: PartitionStep } } = {
  released: { ...everywhere, work: then('fence', 'released'), failed: then('nothing', 'released'), released: then('nothing', 'released') },
  forgotten: { ...everywhere, work: then('read-position', 'reading'), failed: then('nothing', 'forgotten') },
  reading: {
    ...everywhere,
    found: then('publish-found', 'repeating'),
    outside: then('stop', 'forgotten'),
    moved: then('fence', 'forgotten'),
  },
  repeating: { ...everywhere, acknowledged: then('keep-position', 'held') },
  held: { ...everywhere, work: then('commit', 'committing'), moved: then('fence', 'forgotten') },
  committing: { ...everywhere, moved: then('fence', 'forgotten'), committed: then('publish', 'publishing') },
  publishing: { ...everywhere, acknowledged: then('keep-position', 'held') },
};

export const stepPartition = (state: PartitionState, event: PartitionEvent): PartitionStep => partitionTable[state][event];

/** `batch`: several messages in one transaction. `alone`: one of them. `refusal`: one, or what waited too long, as dead letters. */
export type WorkState = 'batch' | 'alone' | 'refusal';

/**
 * By the failure table: `transient` is `retry`, `own-fault` is `dead-letter`, `stop` is `stop`; `unacknowledged` is a failed publication of
 * what is committed. `-last`: the tries for it are used up. `own-fault-in-row`: and so they were for as many messages before it as may be.
 */
export type WorkEvent =
  | 'handled'
  | 'transient'
  | 'transient-last'
  | 'own-fault'
  | 'own-fault-last'
  | 'own-fault-in-row'
  | 'unacknowledged'
  | 'unacknowledged-last'
  | 'stop';

/** `give-up`: the error goes to the adapter, which takes over anew, a bounded number of times. */
export type WorkEffect = 'done' | 'again' | 'one-by-one' | 'dead-letter' | 'give-up' | 'stop';

export interface WorkStep {
  readonly effect: WorkEffect;
  readonly next: WorkState | 'over';
}

const over = (effect: WorkEffect): WorkStep => ({ effect, next: 'over' });

/** What is committed is never refused, whatever keeps it from being published (B6). */
const work = (state: WorkState) => ({
  handled: over('done'),
  transient: { effect: 'again', next: state } as const,
  unacknowledged: { effect: 'again', next: state } as const,
  'unacknowledged-last': over('give-up'),
  stop: over('stop'),
});
const apart: WorkStep = { effect: 'one-by-one', next: 'alone' };

export const workTable: { readonly [S in WorkState]: { readonly [E in WorkEvent]: WorkStep } } = {
  batch: {
    ...work('batch'),
    'transient-last': apart,
    'own-fault': apart,
    'own-fault-last': apart,
    'own-fault-in-row': apart,
  },
  alone: {
    ...work('alone'),
    'transient-last': over('give-up'),
    'own-fault': { effect: 'again', next: 'alone' },
    'own-fault-last': { effect: 'dead-letter', next: 'refusal' },
    'own-fault-in-row': over('stop'),
  },
  refusal: {
    ...work('refusal'),
    'transient-last': over('give-up'),
    'own-fault': { effect: 'again', next: 'refusal' },
    'own-fault-last': over('stop'),
    'own-fault-in-row': over('stop'),
  },
};

export const stepWork = (state: WorkState, event: WorkEvent): WorkStep => workTable[state][event];
