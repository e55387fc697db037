/** One job of the real queue, with everybody who ever held it; time is moved in the row, not waited for. */
import type { JobQueue, LeasedJob, Transaction } from '@lacuna/messaging';
import type { PostgresDatabase } from '../src/index.js';
import { type JobEffect, type JobEvent, type JobState, stepJob } from './job-lease-machine.js';

const HOUR_MS = 3_600_000;
const MINE = 'queue = $1 and key = $2';

export class LeasedJobBench {
  state: JobState = 'absent';
  /** By fence: the last is the holder, when the job is leased or expired. */
  readonly #holders: LeasedJob[] = [];
  #stored: string | null = null;
  #stores = 0;

  constructor(
    private readonly database: PostgresDatabase,
    private readonly jobs: JobQueue,
    private readonly queue: string,
    private readonly key: string,
  ) {}

  /** Whether the event can be brought about here: a zombie needs somebody who held the job before. */
  can(event: JobEvent): boolean {
    const isHeld = this.state === 'leased' || this.state === 'expired';
    if (event.startsWith('zombie-')) return this.#holders.length > (isHeld ? 1 : 0);
    return isHeld || !['extend', 'store', 'postpone', 'settle'].includes(event) || this.#holders.length > 0;
  }

  /** Does it for real, and names the first difference from the table. */
  async compare(event: JobEvent): Promise<void> {
    const before = this.state;
    const { effect, next } = stepJob(before, event);
    const actual = await this.#happen(event, before);
    this.state = next;
    const row = await this.#row();
    const wanted = { effect, state: next, fence: next === 'absent' ? null : row?.fence, stored: next === 'absent' ? null : this.#stored };
    const found = { effect: actual, state: stateOf(row), fence: row?.fence ?? null, stored: row?.stored ?? null };
    if (JSON.stringify(wanted) !== JSON.stringify(found))
      throw new Error(`${before} x ${event}: the table says ${JSON.stringify(wanted)}, the queue ${JSON.stringify(found)}`);
  }

  async #happen(event: JobEvent, before: JobState): Promise<JobEffect> {
    const isHeld = before === 'leased' || before === 'expired';
    if (event.startsWith('zombie-')) return this.#by(this.#holders.at(isHeld ? -2 : -1), event.slice('zombie-'.length));
    if (event === 'enqueue' || event === 'enqueue-later') return this.#enqueue(event === 'enqueue' ? 0 : Date.now() + HOUR_MS);
    if (event === 'time-comes') return this.#moveTime('leased_until is null');
    if (event === 'lease-ends') return this.#moveTime('leased_until is not null');
    if (event === 'lease') return this.#lease();
    if (event === 'cancel') return this.#cancel();
    return this.#by(this.#holders.at(-1), event);
  }

  async #enqueue(availableAtMs: number): Promise<JobEffect> {
    const before = await this.#row();
    const job = { queue: this.queue, tenantId: 'acme', key: this.key, payload: Buffer.alloc(0), availableAt: new Date(availableAtMs) };
    await this.#transaction((tx) => this.jobs.enqueue(tx, [job]));
    if (before) return 'none';
    this.#stored = null;
    return 'added';
  }

  async #moveTime(which: string): Promise<JobEffect> {
    await this.database.query(
      `update job set due_at = clock_timestamp() - interval '1 s',
         leased_until = case when leased_until is null then null else clock_timestamp() - interval '1 s' end
       where ${MINE} and ${which}`,
      [this.queue, this.key],
    );
    return 'none';
  }

  async #lease(): Promise<JobEffect> {
    const [job] = await this.#transaction((tx) => this.jobs.lease(tx, this.queue, 1, HOUR_MS));
    if (!job) return 'none';
    const last = this.#holders.at(-1);
    if (this.state !== 'due' && last && job.fence <= last.fence) throw new Error('a lease without a new fence');
    this.#holders.push(job);
    return 'granted';
  }

  async #cancel(): Promise<JobEffect> {
    const before = await this.#row();
    await this.#transaction((tx) => this.jobs.cancel(tx, this.queue, 'acme', this.key));
    return before && !(await this.#row()) ? 'removed' : 'none';
  }

  async #by(holder: LeasedJob | undefined, what: string): Promise<JobEffect> {
    if (!holder) throw new Error(`nobody ever held ${this.key}`);
    this.#stores += 1;
    const bytes = Buffer.from(`stored ${this.#stores}`);
    const done = await this.#transaction((tx) => {
      if (what === 'extend') return this.jobs.extend(tx, holder, HOUR_MS);
      if (what === 'store') return this.jobs.store(tx, holder, bytes);
      if (what === 'postpone') return this.jobs.postpone(tx, holder, new Date(Date.now() + HOUR_MS));
      return this.jobs.settle(tx, holder);
    });
    if (!done) return 'fenced';
    if (what === 'store') this.#stored = bytes.toString();
    return ({ extend: 'renewed', store: 'kept', postpone: 'given-back' } as const)[what] ?? 'removed';
  }

  async #row() {
    const [row] = await this.database.query<Row>(
      `select fence::text, convert_from(stored, 'UTF8') as stored, due_at <= clock_timestamp() as due, leased_until is not null as leased
         from job where ${MINE}`,
      [this.queue, this.key],
    );
    return row;
  }

  #transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }
}

interface Row {
  readonly fence: string;
  readonly stored: string | null;
  readonly due: boolean;
  readonly leased: boolean;
}

function stateOf(row: Row | undefined): JobState {
  if (!row) return 'absent';
  if (row.leased) return row.due ? 'expired' : 'leased';
  return row.due ? 'due' : 'waiting';
}
