/**
 * What a job queue must do with one job, as a pure table of state x event: the model that the real queue is compared with, cell by cell and in
 * random orders. ../src/job-lease.SPEC.md has a row for every cell.
 */

/** `expired`: leased, and the lease's time is over; nobody has taken it since. */
export type JobState = 'absent' | 'waiting' | 'due' | 'leased' | 'expired';

/** `zombie-…`: by a holder whose fence was passed: by a later lease, or by its own postponement or settlement. The other four: by the holder. */
export type JobEvent =
  | 'enqueue'
  | 'enqueue-later'
  | 'time-comes'
  | 'lease-ends'
  | 'lease'
  | 'cancel'
  | 'extend'
  | 'store'
  | 'postpone'
  | 'settle'
  | 'zombie-extend'
  | 'zombie-store'
  | 'zombie-postpone'
  | 'zombie-settle';

/** `fenced`: false is answered, and nothing changes. `none`: nothing happens to it. */
export type JobEffect = 'added' | 'granted' | 'renewed' | 'kept' | 'given-back' | 'removed' | 'fenced' | 'none';

export interface JobStep {
  readonly effect: JobEffect;
  readonly next: JobState;
}

const to = (effect: JobEffect, next: JobState): JobStep => ({ effect, next });

/** Nobody holds it: whoever believes so is a zombie. */
const unheld = (state: JobState) => {
  const none = to('none', state);
  const fenced = to('fenced', state);
  return {
    enqueue: none,
    'enqueue-later': none,
    'time-comes': none,
    'lease-ends': none,
    lease: none,
    cancel: none,
    extend: fenced,
    store: fenced,
    postpone: fenced,
    settle: fenced,
    'zombie-extend': fenced,
    'zombie-store': fenced,
    'zombie-postpone': fenced,
    'zombie-settle': fenced,
  };
};

/** The holder's word counts as long as nobody has the job after it, also when its time is over. */
const held = (state: 'leased' | 'expired') => ({
  ...unheld(state),
  extend: to('renewed', 'leased'),
  store: to('kept', state),
  postpone: to('given-back', 'waiting'),
  settle: to('removed', 'absent'),
});

export const jobTable: { readonly [S in JobState]: { readonly [E in JobEvent]: JobStep } } = {
  absent: { ...unheld('absent'), enqueue: to('added', 'due'), 'enqueue-later': to('added', 'waiting') },
  waiting: { ...unheld('waiting'), 'time-comes': to('none', 'due'), cancel: to('removed', 'absent') },
  due: { ...unheld('due'), lease: to('granted', 'leased'), cancel: to('removed', 'absent') },
  leased: { ...held('leased'), 'lease-ends': to('none', 'expired') },
  expired: { ...held('expired'), lease: to('granted', 'leased'), cancel: to('removed', 'absent') },
};

export const stepJob = (state: JobState, event: JobEvent): JobStep => jobTable[state][event];
