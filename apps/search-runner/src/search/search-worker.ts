/**
 * Works through search jobs.
 * 1. `search.started` is stored in the job before it is published; a successor repeats the stored bytes.
 * 2. Each page read is in the log before the next page is asked for.
 * 3. `search.ended` goes through the outbox, in the transaction that settles the job under its fence.
 * 4. After `questionDeadlineMs` a search ends: what was not read ends as `budget-time`.
 */
import type { DocumentSource, RegisterDocument, SourceReader } from '@lacuna/connectors';
import { type EncodedEvent, encodeEvent, type EndedSource, events, type PageRead, type SearchEnded, type SearchStarted } from '@lacuna/events';
import { type Register, sourcesOf } from '@lacuna/evidence';
import type { Clock, CrashHook, Database, EventPublisher, JobLease, JobQueue, LeasedJob } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { decodeJob, type SearchJob } from '../jobs/search-job.js';
import { recordEnd } from '../jobs/question-store.js';
import { searchGeneration, unread } from './search-generation.js';
import { searchStarted } from './search-started.js';

/** From the job's insertion; a rerun is a job of its own. */
export const QUESTION_DEADLINE_MS = 900_000;
/** A register that was not published here yet is looked for again after this. */
const REGISTER_DELAY_MS = 250;

export type PublishedRegister = Register & RegisterDocument;

export interface SearchWorkerInput {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly publisher: Pick<EventPublisher, 'record' | 'publishNow'>;
  readonly newReader: (register: PublishedRegister, source: DocumentSource, started: SearchStarted) => SourceReader;
  readonly clock: Clock;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly crash: CrashHook;
}

/** The lease is somebody else's: leave no trace. */
class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export class SearchWorker {
  constructor(private readonly input: SearchWorkerInput) {}

  async run(job: LeasedJob, lease: JobLease): Promise<void> {
    const search = decodeJob(job.payload);
    const register = await this.#register(search);
    if (!register) return this.#later(job);
    const started = await this.#start(job, search, register);
    const sources = await this.#read(job, lease, register, started);
    if (lease.signal.aborted) return;
    await this.#end(job, started, sources);
  }

  async #register(search: SearchJob): Promise<PublishedRegister | undefined> {
    const { tenantId, registerHash } = search.question;
    return this.input.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      return (await registerVersions<PublishedRegister>(tx, tenantId, [registerHash])).get(registerHash);
    });
  }

  async #later(job: LeasedJob): Promise<void> {
    const { database, jobs, clock } = this.input;
    await database.transaction((tx) => jobs.postpone(tx, job, new Date(clock.now().getTime() + REGISTER_DELAY_MS)));
  }

  /** Publishes the stored `search.started`, or a new one that it stores first. */
  async #start(job: LeasedJob, search: SearchJob, register: Register): Promise<SearchStarted> {
    const stored = job.stored ?? (await this.#store(job, searchStarted(search, register, this.input.clock.now().toISOString())));
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
    const leftMs = job.createdAt.getTime() + QUESTION_DEADLINE_MS - this.input.clock.now().getTime();
    if (leftMs <= 0) return sourcesOf(register).map((source) => unread(source.name, 'budget-time'));
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error('the question is past its deadline')), leftMs);
    return searchGeneration({
      register,
      started,
      fence: job.fence,
      newReader: (source) => this.input.newReader(register, source, started),
      publishPage: (page) => this.#publishPage(page, lease),
      clock: this.input.clock,
      sleep: this.input.sleep,
      random: this.input.random,
      signal: AbortSignal.any([lease.signal, deadline.signal]),
    }).finally(() => clearTimeout(timer));
  }

  async #publishPage(page: PageRead, lease: JobLease): Promise<void> {
    if (lease.signal.aborted) throw new LeaseLostError(`page ${page.sequence} of ${page.attemptId} came after the lease`);
    await this.input.publisher.publishNow([encodeEvent(events.pageRead, page, 'search-runner')]);
  }

  async #end(job: LeasedJob, started: SearchStarted, sources: EndedSource[]): Promise<void> {
    const { tenantId, questionId, generation } = started;
    const ended: SearchEnded = { tenantId, questionId, generation, sources, endedAt: this.input.clock.now().toISOString() };
    await this.input.crash('job-before-settle', job.key);
    await this.input.publisher.record<void>(`${tenantId}:${questionId}`, tenantId, async (tx) => {
      if (!(await this.input.jobs.settle(tx, job))) throw new LeaseLostError(`the search of ${job.key} has another holder`);
      await recordEnd(tx, tenantId, questionId, generation, ended.endedAt);
      const published: EncodedEvent = encodeEvent(events.searchEnded, ended, 'search-runner');
      return { events: [published], result: undefined };
    });
    await this.input.crash('job-after-settle', job.key);
  }
}
