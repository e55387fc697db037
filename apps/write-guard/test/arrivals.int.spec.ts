/** What comes in another order, twice, or after a crash: topics keep no order among each other, and delivery is at least once. */
import { type EncodedEvent, events } from '@lacuna/events';
import type { EventLog } from '@lacuna/messaging';
import { openDatabase, PostgresEventLog } from '@lacuna/postgres';
import { aDeliveryCleared, aDeliveryStalled, aRegisterWithTarget, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWantedRecord, type WantedRecord } from './a-wanted-write.js';
import { told, until, WriteGuardBench } from './running-write-guard.js';

let bench: WriteGuardBench;
beforeAll(async () => {
  bench = await WriteGuardBench.open();
  await bench.start();
});
afterAll(() => bench.close());

const answersOf = async ({ question }: WantedRecord) =>
  (await bench.published(events.writeSettled))
    .filter(({ questionId }) => questionId === question.questionId)
    .map(({ generation, answer, reason }) => [generation, answer, reason]);
const rowsOf = async ({ tenantId }: { readonly tenantId: string }, table: string) =>
  (await bench.rows(`select tenant_id from ${table} where tenant_id = $1`, [tenantId])).length;
const created = [[1, 'created', null]];

describe('a verdict that comes before what it needs', () => {
  const orders: [string, (keyof Pick<WantedRecord, 'published' | 'asked' | 'reached'>)[]][] = [
    ['verdict, question, register', ['reached', 'asked', 'published']],
    ['verdict, register, question', ['reached', 'published', 'asked']],
    ['question, verdict, register', ['asked', 'reached', 'published']],
    ['register, verdict, question', ['published', 'reached', 'asked']],
  ];
  it.each(orders)('waits and is settled by the last to arrive: %s', async (_, order) => {
    const wanted = aWantedRecord();
    const [last, ...before] = [...order].reverse() as [keyof WantedRecord, ...(keyof WantedRecord)[]];
    for (const part of before.reverse()) await bench.tell(wanted[part] as EncodedEvent);
    expect(await answersOf(wanted)).toEqual([]);
    expect(await rowsOf(wanted, 'waiting_verdict')).toBe(1);
    await bench.tell(wanted[last] as EncodedEvent);
    expect(await answersOf(wanted)).toEqual(created);
    expect(await rowsOf(wanted, 'waiting_verdict')).toBe(0);
  });

  it('never misses what arrives in another transaction at the same moment: 120 of each at once, and none waits for ever', async () => {
    const tenantId = freshId('tenant');
    const wanted = Array.from({ length: 120 }, (_, index) =>
      aWantedRecord({ tenantId, register: aRegisterWithTarget({ version: `1.0.${index % 20}` }) }),
    );
    for (let from = 0; from < wanted.length; from += 10) {
      const some = wanted.slice(from, from + 10);
      await Promise.all(some.flatMap((one) => [one.reached, one.asked, one.published].map((event) => bench.log.publish([event]))));
    }
    await bench.handled();
    expect(await rowsOf({ tenantId }, 'waiting_verdict')).toBe(0);
    expect(await rowsOf({ tenantId }, 'record')).toBe(wanted.length);
  });
});

describe('a stalled delivery', () => {
  const stalledOf = ({ tenantId, question: { questionId } }: WantedRecord) =>
    told(events.deliveryStalled, aDeliveryStalled({ tenantId, questionId }));
  const clearedOf = ({ tenantId, question: { questionId } }: WantedRecord) =>
    told(events.deliveryCleared, aDeliveryCleared({ tenantId, questionId }));

  it('blocks the permit until it is cleared; then the write goes on', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.published, wanted.asked, stalledOf(wanted));
    await bench.tell(wanted.reached);
    expect(await answersOf(wanted)).toEqual([]);
    expect(await rowsOf(wanted, 'record')).toBe(0);
    await bench.tell(clearedOf(wanted));
    expect(await answersOf(wanted)).toEqual(created);
  });

  it('that is repeated after it was cleared blocks nothing: else a redelivery would block for ever', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.published, wanted.asked, stalledOf(wanted), clearedOf(wanted), stalledOf(wanted));
    await bench.tell(wanted.reached);
    expect(await answersOf(wanted)).toEqual(created);
  });

  it('does not hide a newer verdict, which also answers the one that waited', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.published, wanted.asked, stalledOf(wanted));
    await bench.tell(wanted.reached);
    await bench.tell(wanted.later(2, { verdict: 'match-review' }));
    expect((await answersOf(wanted)).sort()).toEqual([
      [1, 'refused', 'superseded'],
      [2, 'refused', 'match-review'],
    ]);
    await bench.tell(clearedOf(wanted));
    expect(await rowsOf(wanted, 'record')).toBe(0);
  });
});

describe('the same message twice', () => {
  it('changes state once and answers once, for each topic', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.published, wanted.published, wanted.asked, wanted.asked);
    await bench.tell(wanted.reached, wanted.reached);
    await bench.tell(wanted.asked, wanted.published, wanted.reached);
    expect(await answersOf(wanted)).toEqual(created);
    expect(await rowsOf(wanted, 'permit')).toBe(1);
    expect(await rowsOf(wanted, 'record')).toBe(1);
  });

  it('of a verdict that waits is one verdict that waits', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.reached, wanted.reached);
    await bench.tell(wanted.reached);
    expect(await rowsOf(wanted, 'waiting_verdict')).toBe(1);
    await bench.tell(wanted.published, wanted.asked);
    expect(await answersOf(wanted)).toEqual(created);
  });
});

describe('a crash after the commit and before the publish', () => {
  it('leaves the events to the next owner: one slot, and the answer is published once', async () => {
    const wanted = aWantedRecord();
    const tries: string[] = [];
    const dying = await outsideLog((topic) => {
      tries.push(topic);
      throw new Error('the broker does not answer');
    });
    await bench.stop();
    const first = await bench.start({ log: dying.log });
    await bench.log.publish([wanted.published, wanted.asked, wanted.reached]);
    await until('the answer is committed and its publish has failed', async () => tries.length > 0);
    expect(await answersOf(wanted)).toEqual([]);
    const stopped = first.stop();
    const next = await outsideLog(() => undefined);
    await bench.start({ log: next.log });
    await until('the next owner has published what was left', async () => (await answersOf(wanted)).length > 0);
    await stopped;
    await bench.handled();
    expect(await answersOf(wanted)).toEqual(created);
    expect(await rowsOf(wanted, 'record')).toBe(1);
    expect(await rowsOf(wanted, 'answer')).toBe(1);
    await bench.stop();
    await Promise.all([dying.close(), next.close()]);
  });
});

/** A log that is not in the service's database, as Kafka is not: events go through the outbox. `publishing` may fail them. */
async function outsideLog(publishing: (topic: string) => void): Promise<{ log: EventLog; close: () => Promise<void> }> {
  const database = await openDatabase({ url: bench.fresh.url, schema: 'write_guard', applicationName: 'outside log', poolMax: 4 });
  const inside = new PostgresEventLog(database);
  const log = new Proxy<EventLog>(inside, {
    get(target, member) {
      if (member === 'appendIn') return null;
      if (member === 'publish')
        return async (messages: readonly EncodedEvent[]) => {
          for (const { topic } of messages) publishing(topic);
          await inside.publish(messages);
        };
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  await log.start();
  const close = async () => {
    await inside.stop();
    await database.close();
  };
  return { log, close };
}
