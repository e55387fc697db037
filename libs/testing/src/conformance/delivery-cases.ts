/** Batches over the log: once in state, at least once and in order in what follows, whatever fails between. */
import { decodeEvent, topics } from '@lacuna/events';
import {
  type CrashHook,
  type CrashPoint,
  deadLetterTopic,
  FencedError,
  originalOf,
  type EventLog,
  type LogMessage,
} from '@lacuna/messaging';
import { describe, expect, it } from 'vitest';
import { CarelessLoop, type Mistake } from './careless-loop.js';
import { crashAt, until, type Workbench } from './workbench.js';

const CRASH_POINTS: readonly CrashPoint[] = ['before-commit', 'after-commit', 'before-publish', 'after-publish', 'before-offset-commit'];
/** Passed only where events go through the outbox (B8). */
const OUTBOX_POINTS: ReadonlySet<CrashPoint> = new Set(['before-publish', 'after-publish']);

/** What is lost stays lost: a control need not wait long to be sure. */
const CONTROL_SETTLE_MS = 2_000;

export function deliveryCases(bench: () => Workbench): void {
  it('handles every event once and publishes what it gives rise to, in order', async () => {
    await bench().start();
    await bench().send(bench().keys(12), 10);
    await bench().handled();
    expect(await bench().problems()).toEqual([]);
  });

  describe.each(CRASH_POINTS)('after a crash %s', (point) => {
    it('a successor loses nothing, repeats no effect, and what it publishes again is the same bytes (B1, B2)', async (context) => {
      if (bench().log.appendIn && OUTBOX_POINTS.has(point)) return context.skip();
      await bench().send(bench().keys(9), 10);
      const crashed = await bench().start({ crash: crashAt(point) });
      expect((await crashed.fatal).name).toBe('SimulatedCrash');
      await crashed.stop();
      await bench().start();
      await bench().handled();
      expect(await bench().problems()).toEqual([]);
    });
  });

  it.each([
    ['is lost', 'lost'],
    ['arrives although its acknowledgement is lost', 'unacknowledged'],
  ] as const)('goes on by itself after a publish that %s: the owner takes over from itself (B3, B6)', async (_what, kind) => {
    await bench().send(bench().keys(9), 10);
    const service = await bench().start({ sending: (log) => failing(log, kind, 3) });
    await bench().handled();
    await service.stop();
    expect(await bench().problems()).toEqual([]);
  });

  // Fails if a stop throws work away that is in hand, leaves its events unpublished, or begins the next batch.
  it('finishes and publishes what is in hand when it is stopped, and begins nothing more', async () => {
    await bench().send(bench().keys(1), 30);
    const { hook, reached, goOn } = holdAt('before-commit', () => true);
    const service = await bench().start({ crash: hook });
    await reached;
    const stopping = service.stop();
    goOn();
    await stopping;
    const handled = [...(await bench().positions()).values()].reduce((sum, offset) => sum + offset, 0n);
    expect(handled).toBeGreaterThan(0n);
    expect(handled).toBeLessThanOrEqual(10n);
    expect(new Set((await bench().outcome()).outgoing.map(({ value }) => value?.toString())).size).toBe(Number(handled));
    expect(service.consumer.isRunning()).toBe(false);
    await bench().start();
    await bench().handled();
    expect(await bench().problems()).toEqual([]);
  });

  // Fails if one slow partition holds up the others, or is given to somebody else while it is worked on.
  it('goes on with the other partitions while one is slow', async () => {
    await bench().send(bench().keys(24), 3);
    const ends = await bench().log.ends(bench().topic);
    const slow = [...ends].find(([, end]) => end > 0n)?.[0] ?? 0;
    const { hook, reached, goOn } = holdAt('before-commit', (context) => context.endsWith(`/${slow}`));
    await bench().start({ crash: hook });
    await reached;
    await until('the others are handled', async () => {
      const positions = await bench().positions();
      return [...ends].every(([partition, end]) => partition === slow || positions.get(partition) === end);
    });
    expect((await bench().positions()).get(slow)).toBe(0n);
    goOn();
    await bench().handled();
    expect(await bench().problems()).toEqual([]);
  });

  it('hands over to another consumer of the group while messages flow', async () => {
    const keys = bench().keys(9);
    await bench().send(keys, 5);
    const first = await bench().start();
    await bench().handled();
    await bench().start();
    await bench().send(keys, 5);
    await first.stop();
    await bench().send(keys, 5);
    await bench().handled();
    expect(await bench().problems()).toEqual([]);
  });

  it('fences the stale one of two owners: it changes nothing (B1)', async () => {
    await bench().send(bench().keys(1), 10);
    const [first] = await bench().messages(bench().topic);
    const at = { topic: bench().topic, partition: first?.partition ?? 0 };
    const messages = await bench().log.read(at, 0n, 10);
    const bounds = { logStart: 0n, logEnd: 10n };
    const [stale, owner] = [bench().looseLoop(), bench().looseLoop()];
    await stale.takeOver(at, bounds);
    await stale.handle(at, messages.slice(0, 2));
    await owner.takeOver(at, bounds);
    await owner.handle(at, messages.slice(2, 6));
    await expect(stale.handle(at, messages.slice(2, 10))).rejects.toBeInstanceOf(FencedError);
    expect((await bench().positions()).get(at.partition)).toBe(6n);
    await owner.handle(at, messages.slice(6));
    expect(await bench().problems()).toEqual([]);
  });

  it('skips what is delivered again below the position (B4)', async () => {
    await bench().send(bench().keys(1), 6);
    const [first] = await bench().messages(bench().topic);
    const at = { topic: bench().topic, partition: first?.partition ?? 0 };
    const messages = await bench().log.read(at, 0n, 10);
    const loop = bench().looseLoop();
    await loop.takeOver(at, { logStart: 0n, logEnd: 6n });
    await loop.handle(at, messages.slice(0, 4));
    await loop.handle(at, messages.slice(1, 6));
    await loop.handle(at, messages);
    expect(await bench().problems()).toEqual([]);
  });

  // Fails if a position that a person moved is noticed only when the next message comes, or the second such move ends the consumer (B10).
  it('notices without traffic that its position was moved, and goes on from there, time after time', async () => {
    await bench().send(bench().keys(6), 2);
    const service = await bench().start({ tickMs: 100 });
    await bench().handled();
    for (let times = 1; times <= 3; times += 1) {
      await bench().database.query(`update position set next_offset = 0 where "group" = $1`, [bench().group]);
      await bench().handled();
    }
    expect(service.consumer.isRunning()).toBe(true);
  });

  it('stops with advice when the position is beyond the end of the log (B7)', async () => {
    await bench().send(bench().keys(6), 2);
    await (await bench().start()).stop();
    await until('there are positions', async () => (await bench().positions()).size > 0);
    await bench().database.query(`update position set next_offset = 9007199254740993 where "group" = $1`, [bench().group]);
    const error = await (await bench().start()).fatal;
    expect(error.name).toBe('PositionOutsideLogError');
    expect(error.message).toMatch(/up to 9007199254740993, beyond the log's end \d+\. .*connect the right one, or set next_offset/);
  });

  it('dead-letters what nobody can decode with its exact bytes, key and headers, and tells its question (B5)', async () => {
    const [key = '', other = ''] = bench().keys(2);
    const value = Buffer.from([0x7b, 0x00, 0xff, 0x39]);
    const bad = { topic: bench().topic, key: Buffer.from(key), value, headers: { ce_type: 'lacuna.miss.recorded', custom: 'kept ü' } };
    const good = bench().nextEvents([key, other], 3);
    await bench().log.publish([...good.slice(0, 3), bad, ...good.slice(3)]);
    await bench().start({ parkedMsMax: null });
    await bench().handled();
    expect(await bench().problems()).toEqual([]);
    const letter = await onlyDeadLetter(bench());
    expect(letter.value?.equals(value)).toBe(true);
    expect(letter.key?.toString()).toBe(key);
    expect(textOf(letter)).toMatchObject({ ce_type: 'lacuna.miss.recorded', custom: 'kept ü', 'errors.reason': 'not-json' });
    const stalled = await stalledOf(bench(), key);
    expect(stalled).toMatchObject({
      group: bench().group,
      reason: 'not-json',
      message: `${bench().topic}/${letter.partition}/${textOf(letter)['errors.offset']}`,
    });
  });

  it('does not fail a batch for one message that its handler cannot take: it goes to the dead letters, the others are handled (B5)', async () => {
    const keys = bench().keys(4);
    const [poison = ''] = bench().keys(1, 'poison');
    const poisoned = bench().nextEvents([poison], 1);
    bench().sent.delete(poison);
    const good = bench().nextEvents(keys, 4);
    await bench().log.publish([...good.slice(0, 8), ...poisoned, ...good.slice(8)]);
    await bench().start();
    await bench().handled();
    expect(await bench().problems()).toEqual([]);
    const letter = await onlyDeadLetter(bench());
    expect(letter.value?.equals(poisoned[0]?.value ?? Buffer.alloc(0))).toBe(true);
    expect(textOf(letter)['errors.reason']).toBe('handler-failed');
    expect(textOf(letter)['errors.detail']).toContain('this one cannot be handled');
    expect(await stalledOf(bench(), poison)).toMatchObject({ reason: 'handler-failed' });
  });

  it('clears the question when its dead letter is put back and handled, by the group that failed', async () => {
    const [poison = ''] = bench().keys(1, 'poison');
    await bench().send([poison], 1);
    await bench().start();
    const letter = await onlyDeadLetter(bench());
    const stalled = await stalledOf(bench(), poison);
    bench().healed = true;
    await bench().log.publish([originalOf(letter)]);
    await until('the question was cleared', async () => (await toldOf(bench(), poison)).length === 2);
    const [, cleared] = await toldOf(bench(), poison);
    const outcome = cleared ? decodeEvent(cleared) : null;
    expect(outcome?.ok && [outcome.event.type, outcome.event.data]).toEqual([
      'lacuna.delivery.cleared',
      expect.objectContaining({ message: (stalled as { message: string }).message, group: bench().group }),
    ]);
    expect(await bench().problems()).toEqual([]);
  });

  describe.each<[Mistake, string]>([
    ['position-before-effect', 'commits the offset before the effect'],
    ['effect-before-position', 'commits the offset in another transaction than the effect'],
    ['position-kept-over-failed-publish', 'keeps the position in memory over a failed publish'],
  ])('negative control %s', (mistake, what) => {
    it(`finds what a loop loses or doubles that ${what}: the cases above can fail`, async () => {
      await bench().send(bench().keys(9), 10);
      const keepsRunning = mistake === 'position-kept-over-failed-publish';
      const careless = await bench().start({
        loop: (log, handlers) =>
          new CarelessLoop({
            mistake,
            group: bench().group,
            database: bench().database,
            log: keepsRunning ? failing(log, 'lost', 2) : log,
            handlers,
            between: keepsRunning ? () => undefined : crashAt('before-commit'),
          }),
      });
      if (!keepsRunning) {
        await careless.fatal;
        await careless.stop();
        await bench().start();
      }
      await bench().handled();
      expect(await bench().problems(bench().group, CONTROL_SETTLE_MS)).not.toEqual([]);
    });
  });
}

/** Stands at a point until it is told to go on. */
function holdAt(point: CrashPoint, where: (context: string) => boolean) {
  let tell: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (tell = resolve));
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const hook: CrashHook = async (at, context) => {
    if (at !== point || !where(context)) return;
    tell();
    await gate;
  };
  return { hook, reached, goOn };
}

/** Some sends fail: before they reach the log, or after. Where the log is in our database the appending transaction fails instead. */
function failing(log: EventLog, kind: 'lost' | 'unacknowledged', every: number): Pick<EventLog, 'publish' | 'appendIn'> {
  let sends = 0;
  const fail = () => {
    sends += 1;
    if (sends % every === every - 1) throw Object.assign(new Error('the log is away'), { code: 'ECONNRESET' });
  };
  const around = async (send: () => Promise<void>) => {
    if (kind === 'lost') fail();
    await send();
    if (kind === 'unacknowledged') fail();
  };
  const { appendIn } = log;
  return {
    publish: (messages) => around(() => log.publish(messages)),
    appendIn: appendIn ? (tx, messages) => around(() => appendIn(tx, messages)) : null,
  };
}

async function onlyDeadLetter(bench: Workbench): Promise<LogMessage> {
  const topic = deadLetterTopic(bench.topic, bench.group);
  await until('there is a dead letter', async () => (await bench.messages(topic)).length > 0);
  const letters = await bench.messages(topic);
  expect(letters).toHaveLength(1);
  return letters[0] as LogMessage;
}

async function stalledOf(bench: Workbench, key: string): Promise<object | undefined> {
  await until('the question was told', async () => (await toldOf(bench, key)).length > 0);
  const told = await toldOf(bench, key);
  expect(told).toHaveLength(1);
  const outcome = told[0] ? decodeEvent(told[0]) : null;
  return outcome?.ok ? outcome.event.data : undefined;
}

/** What the deliveries topic says of a question. */
async function toldOf(bench: Workbench, key: string): Promise<LogMessage[]> {
  return (await bench.messages(topics.deliveries)).filter((message) => message.key?.toString() === key);
}

function textOf(message: LogMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(message.headers).map(([name, bytes]) => [name, bytes.toString()]));
}
