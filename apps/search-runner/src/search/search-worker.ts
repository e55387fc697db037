/**
 * Works through search jobs.
 * 1. `search.started` is stored in the job before it is published; a successor repeats the stored bytes.
 * 2. Each page read is in the log before the next page is asked for.
 * 3. `search.ended` goes through the outbox, in the transaction that settles the job under its fence.
 * 4. Every search ends: after `questionDeadlineMs` what was not read ends as `budget-time`, and a register that never came is told.
 */
import {
  type AttemptPage,
  type AttemptPlace,
  type DocumentSource,
  type HashedRegister,
  readSources,
  type ReadSourcesInput,
  type SearchedSource,
  type SourceReader,
  startDelayMs,
  UnfitPageError,
  unread,
} from '@lacuna/connectors';
import { encodeEvent, type EndedSource, events, InvalidEventError, type SearchEnded, type SearchStarted } from '@lacuna/events';
import { sourcesOf } from '@lacuna/evidence';
import type { Clock, CrashHook, Database, EventPublisher, JobLease, JobQueue, LeasedJob } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { InputRefusedError } from '@lacuna/receipts';
import { controlJob, hasControls } from '../controls/control-job.js';
import { keptChecks, type KeptCheck } from '../controls/control-store.js';
import { controlResults, lacksChecks } from '../controls/controls-of-search.js';
import { recordEnd } from '../jobs/question-store.js';
import { decodeJob, type SearchJob } from '../jobs/search-job.js';
import { attemptIdOf } from './attempt-id.js';
import { linkedPage } from './page-chain.js';
import { searchStarted } from './search-started.js';

/** From the job's insertion; a rerun is a job of its own. */
export const QUESTION_DEADLINE_MS = 900_000;
/** A register that was not published here yet is looked for again after this; doubles up to the other. */
const REGISTER_DELAY_MS = 250;
/** Register versions kept in memory. */
const REGISTERS_KEPT_MAX = 500;
const REGISTER_DELAY_MS_MAX = 4_000;
/** A search looks again for the checks of its controls after this, and no longer than the other from its job's insertion. */
const CHECKS_DELAY_MS = 250;
const CHECKS_AWAITED_MS_MAX = 30_000;
/** A longer wait before the first read gives the lease back. */
const WAIT_UNDER_LEASE_MS_MAX = 2_000;

export type PublishedRegister = HashedRegister;

export interface SearchWorkerInput {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly publisher: Pick<EventPublisher, 'record' | 'publishNow'>;
  readonly newReader: (register: PublishedRegister, source: DocumentSource, started: SearchStarted) => SourceReader;
  readonly clock: Clock;
  readonly sleep: ReadSourcesInput['sleep'];
  readonly random: () => number;
  readonly told: ReadSourcesInput['told'];
  readonly crash: CrashHook;
}

/** The lease is somebody else's: leave no trace. */
class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export class SearchWorker {
  /** A version never changes: its hash is of its content. */
  readonly #registers = new Map<string, PublishedRegister>();

  constructor(private readonly input: SearchWorkerInput) {}

  async run(job: LeasedJob, lease: JobLease): Promise<void> {
    const search = decodeJob(job.payload);
    const register = await this.#register(search);
    const delayMs = this.#delayMs(job, search, register);
    if (delayMs > 0) return this.#later(job, delayMs);
    const checks = register && job.stored === null && hasControls(register) ? await this.#checks(search) : [];
    if (register && this.#awaitsChecks(job, register, checks)) return this.#later(job, CHECKS_DELAY_MS, register);
    const started = await this.#start(job, search, register, checks);
    const sources = register && started.sources.length > 0 ? await this.#read(job, lease, register, started) : [];
    if (lease.signal.aborted) return;
    await this.#end(job, started, sources, register !== undefined);
  }

  /** 0: now. */
  #delayMs(job: LeasedJob, search: SearchJob, register: PublishedRegister | undefined): number {
    const leftMs = this.#leftMs(job);
    if (leftMs <= 0 || job.stored !== null) return 0;
    if (!register) return Math.min(REGISTER_DELAY_MS * 2 ** Math.min(job.attempts - 1, 10), REGISTER_DELAY_MS_MAX, leftMs);
    const delayMs = startDelayMs(register, search.needsAsOf, this.input.clock.now().getTime());
    return delayMs > WAIT_UNDER_LEASE_MS_MAX && delayMs < leftMs ? delayMs : 0;
  }

  #leftMs(job: LeasedJob): number {
    return job.createdAt.getTime() + QUESTION_DEADLINE_MS - this.input.clock.now().getTime();
  }

  async #register(search: SearchJob): Promise<PublishedRegister | undefined> {
    const { tenantId, registerHash } = search.question;
    const key = `${tenantId}:${registerHash}`;
    const known = this.#registers.get(key);
    if (known) return known;
    const found = await this.input.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      return (await registerVersions<PublishedRegister>(tx, tenantId, [registerHash])).get(registerHash);
    });
    if (found) this.#registers.set(key, found);
    if (this.#registers.size > REGISTERS_KEPT_MAX) this.#registers.delete(this.#registers.keys().next().value as string);
    return found;
  }

  #checks({ question: { tenantId, registerHash } }: SearchJob): Promise<readonly KeptCheck[]> {
    return this.input.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      return keptChecks(tx, tenantId, registerHash);
    });
  }

  /** The controls of a version that is new, or old, are checked first; a check that takes too long holds by its absence. */
  #awaitsChecks(job: LeasedJob, register: PublishedRegister, checks: readonly KeptCheck[]): boolean {
    if (job.stored !== null || !hasControls(register)) return false;
    const nowMs = this.input.clock.now().getTime();
    return nowMs - job.createdAt.getTime() < CHECKS_AWAITED_MS_MAX && lacksChecks(register, checks, nowMs);
  }

  /** With a register: also has its controls checked, where that is not under way. */
  async #later(job: LeasedJob, delayMs: number, checked?: PublishedRegister): Promise<void> {
    const { database, jobs, clock } = this.input;
    const now = clock.now();
    await database.transaction(async (tx) => {
      if (checked) await jobs.enqueue(tx, [controlJob(job.tenantId, checked.hash, now)]);
      await jobs.postpone(tx, job, new Date(now.getTime() + delayMs));
    });
  }

  /** Publishes the stored `search.started`, or a new one that it stores first. */
  async #start(
    job: LeasedJob,
    search: SearchJob,
    register: PublishedRegister | undefined,
    checks: readonly KeptCheck[],
  ): Promise<SearchStarted> {
    const controls = register && hasControls(register) ? controlResults(register, checks) : [];
    const stored = job.stored ?? (await this.#store(job, searchStarted(search, register, this.input.clock.now().toISOString(), controls)));
    await this.input.crash('job-stored', job.key);
    const started = JSON.parse(stored.toString('utf8')) as SearchStarted;
    await this.input.publisher.publishNow([encodeEvent(events.searchStarted, started, 'search-runner')]);
    return started;
  }

  async #store(job: LeasedJob, started: SearchStarted): Promise<Buffer> {
    const bytes = Buffer.from(JSON.stringify(started));
    const mine = await this.input.database.transaction((tx) => this.input.jobs.store(tx, job, bytes));
    if (!mine) throw new LeaseLostError(`the search of ${job.key} has another holder`);
    return bytes;
  }

  async #read(job: LeasedJob, lease: JobLease, register: PublishedRegister, started: SearchStarted): Promise<EndedSource[]> {
    const leftMs = this.#leftMs(job);
    if (leftMs <= 0) return sourcesOf(register).map((source) => endedSource(unread(source.name, 'budget-time')));
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error('the question is past its deadline')), leftMs);
    const { clock, sleep, random, told } = this.input;
    const { questionId, generation } = started;
    const read = await readSources({
      register,
      started,
      attemptId: (source, count) => attemptIdOf({ questionId, generation, source, fence: job.fence, count }),
      newReader: (source) => this.input.newReader(register, source, started),
      recordPage: (page, place) => this.#recordPage(started, page, place, lease),
      clock,
      sleep,
      random,
      told,
      leftMs: () => this.#leftMs(job),
      signal: AbortSignal.any([lease.signal, deadline.signal]),
    }).finally(() => clearTimeout(timer));
    return read.map(endedSource);
  }

  async #recordPage(started: SearchStarted, page: AttemptPage, place: AttemptPlace, lease: JobLease): Promise<string> {
    const { linked, encoded } = encodedPage(started, page, place);
    if (lease.signal.aborted) throw new LeaseLostError(`page ${linked.sequence} of ${linked.attemptId} came after the lease`);
    await this.input.publisher.publishNow([encoded]);
    await this.input.crash('page-published', linked.attemptId);
    return linked.hash;
  }

  async #end(job: LeasedJob, started: SearchStarted, sources: EndedSource[], isRegisterKnown: boolean): Promise<void> {
    const { tenantId, questionId, generation } = started;
    const ended: SearchEnded = { tenantId, questionId, generation, sources, endedAt: this.input.clock.now().toISOString() };
    await this.input.crash('job-before-settle', job.key);
    await this.input.publisher.record<void>(`${tenantId}:${questionId}`, tenantId, async (tx) => {
      if (!(await this.input.jobs.settle(tx, job))) throw new LeaseLostError(`the search of ${job.key} has another holder`);
      await recordEnd(tx, tenantId, questionId, generation, ended.endedAt);
      const published = [encodeEvent(events.searchEnded, ended, 'search-runner')];
      return { events: isRegisterKnown ? published : [...published, registerUnknown(ended)], result: undefined };
    });
    await this.input.crash('job-after-settle', job.key);
  }
}

/** @throws UnfitPageError when no event can carry the page. */
function encodedPage(started: SearchStarted, page: AttemptPage, place: AttemptPlace) {
  try {
    const linked = linkedPage(started, page, place);
    return { linked, encoded: encodeEvent(events.pageRead, linked, 'search-runner') };
  } catch (error) {
    if (error instanceof InvalidEventError || error instanceof InputRefusedError) throw new UnfitPageError(error.message, { cause: error });
    throw error;
  }
}

const endedSource = (read: SearchedSource): EndedSource => ({ ...read, doubts: [...read.doubts] });

/** Nobody may ever learn of the question by its verdict, which needs the register: so its owner is told beside it. */
function registerUnknown({ tenantId, questionId, generation, endedAt }: SearchEnded) {
  const message = `search/${generation}`;
  const stalled = { tenantId, questionId, group: 'search-runner', message, reason: 'register-unknown', at: endedAt };
  return encodeEvent(events.deliveryStalled, stalled, 'search-runner');
}
