/**
 * Decides the generations that waited for a register version, some per transaction, until none is left. One that fails whenever it is tried
 * alone is told by `delivery.stalled`, as a message that keeps failing would be, and leaves the others alone.
 */
import { type EncodedEvent, encodeEvent, events } from '@lacuna/events';
import { actionFor, type EventPublisher, type JobLease, type JobQueue, type LeasedJob, type Transaction } from '@lacuna/messaging';
import { decideGenerations, type DecideInput, groupsOf } from './decide-generations.js';
import { evidenceOf, type GenerationKey } from './evidence-store.js';
import { recordStalled, waitingFor } from './generation-store.js';

export const waitingQueue = 'decide-waiting';

const GENERATIONS_MAX = 100;

export interface DecideWaitingInput extends Pick<DecideInput, 'signingKey' | 'newSalt'> {
  readonly jobs: JobQueue;
  readonly publisher: Pick<EventPublisher, 'record'>;
  readonly now: () => Date;
  readonly told: (error: unknown, generation: GenerationKey) => void;
}

export class DecideWaiting {
  constructor(private readonly input: DecideWaitingInput) {}

  async run(job: LeasedJob, lease: JobLease): Promise<void> {
    let generationsMax = GENERATIONS_MAX;
    while (!lease.signal.aborted) {
      try {
        const decided = await this.#record(job, (tx) => this.#some(tx, job, generationsMax));
        if (decided === 0) return;
        generationsMax = GENERATIONS_MAX;
      } catch (error) {
        if (actionFor(error) !== 'dead-letter') throw error;
        if (generationsMax > 1) generationsMax = 1;
        else await this.#record(job, (tx) => this.#stall(tx, job, error));
      }
    }
  }

  #record(job: LeasedJob, work: (tx: Transaction) => Promise<{ events: EncodedEvent[]; result: number }>): Promise<number> {
    return this.input.publisher.record(`waiting:${job.tenantId}:${job.key}`, job.tenantId, work);
  }

  /** 0: none was left, and the job is settled. */
  async #some(tx: Transaction, job: LeasedJob, generationsMax: number): Promise<{ events: EncodedEvent[]; result: number }> {
    const { tenantId, key: registerHash } = job;
    const waiting = await waitingFor(tx, tenantId, registerHash, generationsMax);
    if (waiting.length === 0) {
      await this.input.jobs.settle(tx, job);
      return { events: [], result: 0 };
    }
    const groups = groupsOf(await evidenceOf(tx, tenantId, waiting));
    const { signingKey, newSalt, now } = this.input;
    return { events: await decideGenerations({ tx, tenantId, signingKey, newSalt, now: now() }, groups), result: waiting.length };
  }

  async #stall(tx: Transaction, job: LeasedJob, error: unknown): Promise<{ events: EncodedEvent[]; result: number }> {
    const { tenantId, key: registerHash } = job;
    const [generation] = await waitingFor(tx, tenantId, registerHash, 1);
    if (!generation) return { events: [], result: 0 };
    this.input.told(error, generation);
    const at = this.input.now().toISOString();
    await recordStalled(tx, tenantId, generation, at);
    const { questionId } = generation;
    const message = `${waitingQueue}/${registerHash}/${generation.generation}`;
    const stalled = { tenantId, questionId, group: 'verdict', message, reason: 'handler-failed', at };
    return { events: [encodeEvent(events.deliveryStalled, stalled, 'verdict')], result: 1 };
  }
}
