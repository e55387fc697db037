import { type EncodedEvent, encodeEvent, events } from '@lacuna/events';
import { PostgresEventLog, PostgresOutboxStore } from '@lacuna/postgres';
import { aQuestionAsked, freshId, freshServiceDatabase, type ServiceDatabase } from '@lacuna/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedCrash } from './delivery-error.js';
import { EventPublisher, type EventPublisherOptions } from './event-publisher.js';

let service: ServiceDatabase;
let source: string;
beforeAll(async () => {
  service = await freshServiceDatabase('gateway');
});
afterAll(() => service.drop());
beforeEach(() => (source = freshId('source')));

const outbox = new PostgresOutboxStore();
const anEvent = (): EncodedEvent => encodeEvent(events.questionAsked, aQuestionAsked(), 'gateway');
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A log outside the database, such as Kafka, that can be away. */
class OutsideLog {
  readonly appendIn = null;
  readonly published: EncodedEvent[] = [];
  isAway = false;
  delayMs = 0;
  async publish(messages: readonly EncodedEvent[]): Promise<void> {
    if (this.isAway) throw new Error('the log is away');
    await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    this.published.push(...messages);
  }
}

function publisher(log: EventPublisherOptions['log'], changes: Partial<EventPublisherOptions> = {}): EventPublisher {
  return new EventPublisher({ database: service.database, log, outbox, logger: silent, sweepAgeMs: 0, ...changes });
}
const rows = () => service.database.query('select from outbox where source = $1', [`record:${source}`]);

describe('the event publisher', () => {
  it('publishes after the commit and keeps no row, and answers what the work answered', async () => {
    const log = new OutsideLog();
    const event = anEvent();
    const result = await publisher(log).record(source, 'acme', async (tx) => {
      const [row] = await tx.query<{ tenant: string }>(`select current_setting('lacuna.tenant') as tenant`);
      expect(log.published).toEqual([]);
      return { events: [event], result: row?.tenant };
    });
    expect(result).toBe('acme');
    expect(log.published).toEqual([event]);
    expect(await rows()).toEqual([]);
  });

  it('publishes nothing of work that failed (P1)', async () => {
    const log = new OutsideLog();
    const failed = publisher(log).record(source, null, async () => {
      throw new Error('refused');
    });
    await expect(failed).rejects.toThrow('refused');
    expect(log.published).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('does not fail the caller for a log that is away: the sweeper publishes what is committed (P3)', async () => {
    const log = new OutsideLog();
    log.isAway = true;
    const [first, second] = [anEvent(), anEvent()];
    const own = publisher(log);
    await own.record(source, null, async () => ({ events: [first], result: null }));
    await own.record(source, null, async () => ({ events: [second], result: null }));
    expect(await rows()).toHaveLength(2);
    log.isAway = false;
    await own.sweep();
    expect(log.published).toEqual([first, second]);
    expect(await rows()).toEqual([]);
  });

  it.each(['after-commit', 'before-publish', 'after-publish'])(
    'loses nothing after a crash %s: a successor sweeps the same bytes',
    async (at) => {
      const log = new OutsideLog();
      const event = anEvent();
      const crashing = publisher(log, {
        crash: (point) => {
          if (point === at) throw new SimulatedCrash(point);
        },
      });
      await expect(crashing.record(source, null, async () => ({ events: [event], result: null }))).rejects.toBeInstanceOf(SimulatedCrash);
      await publisher(log).sweep();
      expect(log.published).toEqual(at === 'after-publish' ? [event, event] : [event]);
      expect(await rows()).toEqual([]);
    },
  );

  it('publishes a source in the order of its commits, by one publisher at a time, whoever writes it (P2)', async () => {
    const log = new OutsideLog();
    log.delayMs = 3;
    let commit: () => void = () => undefined;
    const onCommit = (point: string) => (point === 'after-commit' ? commit() : undefined);
    const publishers = [publisher(log, { crash: onCommit }), publisher(log, { crash: onCommit })];
    const written: EncodedEvent[] = [];
    for (let round = 0; round < 20; round += 1) {
      const event = anEvent();
      written.push(event);
      const committed = new Promise<void>((resolve) => (commit = resolve));
      const publication = publishers[round % 2]?.record(source, null, async () => ({ events: [event], result: null }));
      await committed;
      if (round % 3 === 0) await publication;
    }
    for (let round = 0; round < 50 && (await rows()).length > 0; round += 1) await publishers[0]?.sweep();
    const first = [...new Set(log.published.map((event) => event.headers['ce_id']))];
    expect(first).toEqual(written.map((event) => event.headers['ce_id']));
    expect(log.published).toHaveLength(20);
    await Promise.all(publishers.map((one) => one.stop()));
  });

  it('leaves a source to the publisher that has its lock', async () => {
    const log = new OutsideLog();
    await service.database.transaction(async (tx) => {
      await outbox.lockSource(tx, `record:${source}`);
      await publisher(log).record(source, null, async () => ({ events: [anEvent()], result: null }));
      expect(log.published).toEqual([]);
    });
    await publisher(log).sweep();
    expect(log.published).toHaveLength(1);
  });

  it('does the work again after a deadlock, and not after other errors', async () => {
    let tries = 0;
    const failOnceWith = (code: string) => async () => {
      tries += 1;
      if (tries === 1) throw Object.assign(new Error(code), { code });
      return { events: [], result: tries };
    };
    expect(await publisher(new OutsideLog()).record(source, null, failOnceWith('40P01'))).toBe(2);
    tries = 0;
    await expect(publisher(new OutsideLog()).record(source, null, failOnceWith('23505'))).rejects.toThrow('23505');
  });

  it('appends in the transaction itself where the log is in the database (P4)', async () => {
    const log = new PostgresEventLog(service.database);
    const event = { ...anEvent(), topic: freshId('lacuna.test') };
    await log.ensureTopics([{ topic: event.topic, partitions: 1, cleanup: 'delete', retentionMs: -1 }]);
    await publisher(log).record(source, null, async () => ({ events: [event], result: null }));
    expect(await rows()).toEqual([]);
    const dropped = publisher(log).record(source, null, async (tx) => {
      await log.appendIn(tx, [event]);
      throw new Error('no');
    });
    await expect(dropped).rejects.toThrow('no');
    expect(await log.read({ topic: event.topic, partition: 0 }, 0n, 10)).toHaveLength(1);
  });
});
