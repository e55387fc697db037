import { BatchLoop, type CrashPoint } from '@lacuna/messaging';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenChecks, type DeliveryCheck } from './delivery-checks.js';
import { DeliveryWorld, GROUP, type MakeLoop, PARTITIONS, placeOf } from './delivery-world.js';
import { type Mistake, NaiveLoop } from './naive-loop.js';

const POINTS: readonly CrashPoint[] = ['before-commit', 'after-commit', 'before-publish', 'after-publish', 'before-offset-commit'];
/** Every try of a transient failure may be used up: then the adapter takes over anew. */
const FAILURES_MAX = 4;
/** Of each partition. */
const QUESTIONS = 2;

/** What may happen, one after the other; everything else is the loop's. */
type Happening = (world: DeliveryWorld) => Promise<void> | void;

class Happens implements fc.AsyncCommand<object, DeliveryWorld> {
  constructor(
    private readonly what: string,
    private readonly happen: Happening,
  ) {}
  check = () => true;
  run = async (_model: object, world: DeliveryWorld) => this.happen(world);
  toString = () => this.what;
}

const process = fc.integer({ min: 0, max: 1 });
const partition = fc.integer({ min: 0, max: PARTITIONS - 1 });
const few = fc.integer({ min: 1, max: FAILURES_MAX });

const send = (mayBePoison: boolean) =>
  fc.tuple(partition, fc.integer({ min: 0, max: QUESTIONS - 1 }), few, mayBePoison ? fc.integer({ min: 0, max: 5 }) : fc.constant(1)).map(
    ([to, question, count, dice]) =>
      new Happens(`send ${count} of question ${question} to ${to}${dice === 0 ? ', poison first' : ''}`, (world) => {
        for (let index = 0; index < count; index += 1) world.send(to, question, dice === 0 && index === 0);
      }),
  );
const putBack = fc.tuple(fc.nat({ max: 5 }), fc.boolean()).map(
  ([which, isMended]) =>
    new Happens(`dead letter ${which} is put back${isMended ? ', mended' : ''}`, (world) => {
      const letter = world.openLetters()[which];
      if (letter) world.putBack(letter, isMended);
    }),
);
const deliver = fc
  .tuple(process, partition, few, fc.option(fc.constantFrom(...POINTS)))
  .map(
    ([by, at, count, pauseAt]) =>
      new Happens(`process ${by} is given ${count} of ${at}${pauseAt ? `, stands ${pauseAt}` : ''}`, async (world) =>
        world.processes[by]?.deliver(at, count, pauseAt),
      ),
  );
const resume = fc
  .tuple(process, partition)
  .map(([by, at]) => new Happens(`process ${by} goes on with ${at}`, async (world) => world.processes[by]?.resume(at)));
const kill = process.map((which) => new Happens(`process ${which} is killed`, (world) => world.kill(which)));
const rewind = fc
  .tuple(process, partition, few)
  .map(([by, at, back]) => new Happens(`process ${by} reads ${at} again, ${back} back`, (world) => world.processes[by]?.rewind(at, back)));
const tick = fc
  .tuple(process, partition)
  .map(([by, at]) => new Happens(`process ${by} hears nothing of ${at} for a while`, async (world) => world.processes[by]?.tick(at)));
const failPublish = fc
  .tuple(fc.constantFrom('lost' as const, 'unacknowledged' as const), few)
  .map(([how, times]) => new Happens(`${times} sends are ${how}`, (world) => void world.publishFailures.push(...Array(times).fill(how))));
const failTransaction = fc
  .tuple(fc.constantFrom('40P01', '57P01', '08006'), few)
  .map(
    ([code, times]) =>
      new Happens(`${times} transactions fail with ${code}`, (world) => void world.tables.failures.push(...Array(times).fill(code))),
  );

const happenings = (mayBePoison: boolean) =>
  fc.commands([send(mayBePoison), putBack, deliver, deliver, resume, kill, rewind, tick, failPublish, failTransaction], {
    maxCommands: 40,
    size: 'max',
  });

const loop =
  (parks: boolean): MakeLoop =>
  (world, crash) =>
    new BatchLoop({
      group: GROUP,
      producer: 'verdict',
      database: world.tables.database,
      log: world.log,
      positions: world.tables.positions,
      outbox: world.tables.outbox,
      handlers: new Map([[placeOf(0).topic, world.handler]]),
      clock: { now: () => new Date(0) },
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      retry: { delayMs: 0, delayMsMax: 0, attemptsMax: 3, aloneAttemptsMax: 2, deadLettersInRowMax: 1_000 },
      crash,
      ...(parks ? { parking: { store: world.parking.store, topics: new Set([placeOf(0).topic]), parkedMsMax: 1_000 } } : {}),
    });

const keepsItsWord = (makeLoop: MakeLoop, { mayBePoison }: { mayBePoison: boolean }) =>
  fc.asyncProperty(happenings(mayBePoison), async (commands) => {
    const world = new DeliveryWorld(makeLoop);
    await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
    await world.settle();
    const broken = brokenChecks(world);
    if (broken.length > 0) throw new Error(broken.join('; '));
  });

describe('the batch loop against its model', () => {
  // Fails if any order of deliveries, pauses, kills, lost and unacknowledged sends, failing transactions and two owners at a time loses or
  // doubles an effect, loses an event, publishes a key's events out of order, or loses a poison message's bytes, or handles a later message of
  // its key before it was put back (B1 to B6, B9, B10).
  it('keeps every check, whatever happens in whatever order', async () => {
    await fc.assert(keepsItsWord(loop(true), { mayBePoison: true }), { numRuns: 400 });
  }, 60_000);

  // Fails if the model is too kind to find a known mistake, or another check than the one named finds it.
  it.each<[Mistake, DeliveryCheck]>([
    ['position-before-effect', 'no effect is missing'],
    ['position-kept-over-failed-publish', 'no event is missing'],
    ['outbox-by-last-id', 'no event is missing'],
    ['no-fencing', 'no effect is doubled'],
  ])(
    'negative control %s is caught by: %s',
    async (mistake, check) => {
      const naive: MakeLoop = (world, crash) => new NaiveLoop(mistake, world, crash);
      const details = await fc.check(keepsItsWord(naive, { mayBePoison: false }), { numRuns: 2_000 });
      expect(details.failed).toBe(true);
      expect(String(details.errorInstance)).toContain(check);
    },
    60_000,
  );

  it('negative control: without parking, poison that is put back is caught by: effects of a key are in order', async () => {
    const details = await fc.check(keepsItsWord(loop(false), { mayBePoison: true }), { numRuns: 2_000 });
    expect(details.failed).toBe(true);
    expect(String(details.errorInstance)).toContain('effects of a key are in order' satisfies DeliveryCheck);
  }, 60_000);
});
