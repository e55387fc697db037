/** What a log holds, and whether a service has handled it. */
import { decodeEvent, type DecodedEvent } from '@lacuna/events';
import type { EventLog, LogMessage } from '@lacuna/messaging';
import type { PostgresDatabase } from '@lacuna/postgres';

const MESSAGES_MAX = 10_000;
const LOOK_MS = 20;

/** All messages of a topic, partition by partition. */
export async function messagesOn(log: EventLog, topic: string): Promise<LogMessage[]> {
  const messages: LogMessage[] = [];
  for (const partition of (await log.ends(topic)).keys()) messages.push(...(await log.read({ topic, partition }, 0n, MESSAGES_MAX)));
  return messages;
}

/** Its events; @throws when a message is none. */
export async function eventsOn(log: EventLog, topic: string): Promise<DecodedEvent[]> {
  return (await messagesOn(log, topic)).map((message) => {
    const outcome = decodeEvent(message);
    if (!outcome.ok) throw new Error(`${topic}/${message.partition}/${message.offset}: ${outcome.detail}`);
    return outcome.event;
  });
}

/** Resolves when the group has handled all that the topics hold now. `database` is the service's. */
export async function handled(
  database: PostgresDatabase,
  log: EventLog,
  group: string,
  topics: readonly string[],
  msMax = 20_000,
): Promise<void> {
  for (const topic of topics) {
    for (const [partition, end] of await log.ends(topic)) {
      const what = `${group} handles ${topic}/${partition} up to ${end}`;
      await eventually(what, async () => (await positionOf(database, group, topic, partition)) >= end, msMax);
    }
  }
}

/** Looks again and again. @throws when it is not so within the bound; `what` says what was waited for. */
export async function eventually(what: string, isSo: () => Promise<boolean>, msMax = 20_000): Promise<void> {
  const until = performance.now() + msMax;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`not within ${msMax} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function positionOf(database: PostgresDatabase, group: string, topic: string, partition: number): Promise<bigint> {
  const [row] = await database.query<{ next_offset: string }>(
    `select next_offset from position where "group" = $1 and topic = $2 and partition = $3`,
    [group, topic, partition],
  );
  return BigInt(row?.next_offset ?? 0);
}
