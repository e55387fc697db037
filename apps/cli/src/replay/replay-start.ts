/** Where a replay begins, per partition of a topic. */
import type { EventLog, LogMessage } from '@lacuna/messaging';
import { CliError, exitCodes } from '../cli-error.js';

export type ReplayFrom = 'start' | Date;

/** @throws CliError for what is neither `start` nor a time. */
export function replayFrom(text: string): ReplayFrom {
  if (text === 'start') return 'start';
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) || Number.isNaN(at.getTime()))
    throw new CliError(`--from is "start" or a time such as 2026-01-31T12:00:00Z, not "${text}"`, exitCodes.usage);
  return at;
}

type Log = Pick<EventLog, 'ends' | 'offsetsSince' | 'read'>;

/**
 * @throws CliError when the topic's beginning is gone: tables that were emptied for it would not come back as they were.
 */
export async function replayStarts(log: Log, topic: string, from: ReplayFrom): Promise<ReadonlyMap<number, bigint>> {
  if (from !== 'start') return log.offsetsSince(topic, from);
  const starts = new Map<number, bigint>();
  for (const [partition, end] of await log.ends(topic)) {
    await assertComplete(`${topic}/${partition}`, end, async () => (await log.read({ topic, partition }, 0n, 1))[0]);
    starts.set(partition, 0n);
  }
  return starts;
}

async function assertComplete(name: string, end: bigint, first: () => Promise<LogMessage | undefined>): Promise<void> {
  if (end === 0n) return;
  const found = await first();
  if (found?.offset === 0n) return;
  const lost = found ? `begins at ${found.offset}` : `is empty up to its end ${end}`;
  throw new CliError(
    `${name} ${lost}: what came before has expired, and a table emptied now would lose it. --from with a time applies again what is left, ` +
      'and empties nothing',
  );
}
