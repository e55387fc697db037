/**
 * What becomes of one question's wanted write: a pure table of state x event. write-machine.SPEC.md has a row for every cell, the test of
 * each invariant, and what is not covered. The slot's unique constraint has the last word (W1), whatever stands here.
 *
 * A1 Nothing is written but by `write`, and only a fresh no-match of the newest generation leads there (W2, W3).
 * A2 A match seen later than the no-match ends an unused authorisation; a later hold suspends it until the next no-match (W3).
 * A3 An authorisation is used once. After `write` and `refuse` it is over: what comes later needs a new one.
 * A4 Every `ask-again` counts against the authorisation's bound, so that no write is asked for without end (W2).
 */

/** `unasked-auto`: policy auto, where the register itself is the authorisation. The others: a person decides. */
export type WriteState = 'unasked-auto' | 'unasked' | 'requested' | 'approved' | 'requested-suspended' | 'approved-suspended';

/** `…-elsewhere`: a verdict of another question on the same key. `approved-…`: by what the newest no-match is at that moment. */
export type WriteEvent =
  | 'fresh-no-match'
  | 'stale-no-match'
  | 'match'
  | 'hold'
  | 'match-elsewhere'
  | 'hold-elsewhere'
  | 'approved-fresh'
  | 'approved-stale'
  | 'declined'
  | 'expired';

/**
 * `write`: permit and slot in this transaction. `request`: ask a person. `ask-again`: the question is rerun. `wait`: nothing is told yet.
 * `refuse`: the attempt is answered, with the reason. `nothing`: no write is touched by this.
 */
export type WriteMove = 'write' | 'request' | 'ask-again' | 'wait' | 'refuse' | 'nothing';

export interface WriteStep {
  readonly move: WriteMove;
  readonly next: WriteState;
}

const to = (move: WriteMove, next: WriteState): WriteStep => ({ move, next });

const unasked = (state: 'unasked-auto' | 'unasked', fresh: WriteStep, stale: WriteStep) => ({
  'fresh-no-match': fresh,
  'stale-no-match': stale,
  match: to('refuse', state),
  hold: to('refuse', state),
  'match-elsewhere': to('nothing', state),
  'hold-elsewhere': to('nothing', state),
  'approved-fresh': to('nothing', state),
  'approved-stale': to('nothing', state),
  declined: to('nothing', state),
  expired: to('nothing', state),
});

const over = to('refuse', 'unasked');
const written = to('write', 'unasked');

export const writeTable: { readonly [S in WriteState]: { readonly [E in WriteEvent]: WriteStep } } = {
  'unasked-auto': unasked('unasked-auto', to('write', 'unasked-auto'), to('ask-again', 'unasked-auto')),
  unasked: unasked('unasked', to('request', 'requested'), to('request', 'requested')),
  requested: {
    'fresh-no-match': to('wait', 'requested'),
    'stale-no-match': to('wait', 'requested'),
    match: over,
    hold: to('wait', 'requested-suspended'),
    'match-elsewhere': over,
    'hold-elsewhere': to('wait', 'requested-suspended'),
    'approved-fresh': written,
    'approved-stale': to('ask-again', 'approved'),
    declined: over,
    expired: over,
  },
  approved: {
    'fresh-no-match': written,
    'stale-no-match': to('ask-again', 'approved'),
    match: over,
    hold: to('wait', 'approved-suspended'),
    'match-elsewhere': over,
    'hold-elsewhere': to('wait', 'approved-suspended'),
    'approved-fresh': to('nothing', 'approved'),
    'approved-stale': to('nothing', 'approved'),
    declined: over,
    expired: over,
  },
  'requested-suspended': {
    'fresh-no-match': to('wait', 'requested'),
    'stale-no-match': to('wait', 'requested'),
    match: over,
    hold: to('wait', 'requested-suspended'),
    'match-elsewhere': over,
    'hold-elsewhere': to('wait', 'requested-suspended'),
    'approved-fresh': to('wait', 'approved-suspended'),
    'approved-stale': to('wait', 'approved-suspended'),
    declined: over,
    expired: over,
  },
  'approved-suspended': {
    'fresh-no-match': written,
    'stale-no-match': to('ask-again', 'approved'),
    match: over,
    hold: to('wait', 'approved-suspended'),
    'match-elsewhere': over,
    'hold-elsewhere': to('wait', 'approved-suspended'),
    'approved-fresh': to('nothing', 'approved-suspended'),
    'approved-stale': to('nothing', 'approved-suspended'),
    declined: over,
    expired: over,
  },
};

export const stepWrite = (state: WriteState, event: WriteEvent): WriteStep => writeTable[state][event];
