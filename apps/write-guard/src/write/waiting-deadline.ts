/** A verdict does not wait for its question or its register for ever: the end of its time is a job, so that a restart forgets none. */
import { encodeEvent, events, topics, type VerdictReached } from '@lacuna/events';
import type { LeasedJob, LogMessage, NewJob } from '@lacuna/messaging';

export const waitingQueue = 'waiting-verdict';

/** Topics are minutes apart at worst; a question that has not come in this time will not come by itself. */
export const WAITING_MS_MAX = 3_600_000;

/** Where a verdict stands in its topic. */
export interface Place {
  readonly partition: number;
  readonly offset: bigint;
}

export interface WaitingDeadline {
  readonly questionId: string;
  readonly generation: number;
  readonly partition: number;
  readonly offset: string;
  readonly waitsUntilMs: number;
}

export const waitingJobsOf = (tenantId: string, early: ReadonlyMap<VerdictReached, Place>, now: Date): NewJob[] =>
  [...early].map(([{ questionId, generation }, { partition, offset }]) => {
    const waitsUntilMs = now.getTime() + WAITING_MS_MAX;
    const deadline: WaitingDeadline = { questionId, generation, partition, offset: String(offset), waitsUntilMs };
    return {
      queue: waitingQueue,
      tenantId,
      key: `${partition}/${offset}`,
      payload: Buffer.from(JSON.stringify(deadline)),
      availableAt: new Date(waitsUntilMs),
    };
  });

export const waitingDeadlineOf = (job: LeasedJob): WaitingDeadline => JSON.parse(job.payload.toString('utf8')) as WaitingDeadline;

/** As the verdict stood in its topic: an event's bytes follow from what it says. */
export function messageOf(verdict: VerdictReached, { partition, offset }: WaitingDeadline): LogMessage {
  const { key, value, headers } = encodeEvent(events.verdictReached, verdict, 'verdict');
  const bytes = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]));
  return { topic: topics.verdicts, partition, offset: BigInt(offset), key, value, headers: bytes, timestampMs: 0 };
}
