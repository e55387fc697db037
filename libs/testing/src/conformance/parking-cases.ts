/** What waits behind a dead letter of its key, and how it goes on (B9, G1 to G3). */
import { type CrashPoint, deadLetterTopic, dropEvent, type LogMessage, originalOf } from '@lacuna/messaging';
import { expect, it } from 'vitest';
import { crashAt, until, type Workbench } from './workbench.js';

const CRASH_POINTS: readonly CrashPoint[] = ['before-commit', 'after-commit', 'before-publish', 'after-publish'];

export function parkingCases(bench: () => Workbench): void {
  const letters = (): Promise<LogMessage[]> => bench().messages(deadLetterTopic(bench().topic, bench().group));
  const firstLetter = async (): Promise<LogMessage> => {
    await until('there is a dead letter', async () => (await letters()).length > 0);
    return (await letters())[0] as LogMessage;
  };
  /** A key whose first message fails, with three behind it, among others. */
  const poisoned = async (): Promise<string> => {
    const [poison = ''] = bench().keys(1, 'poison');
    const keys = bench().keys(3);
    await bench().log.publish([...bench().nextEvents([poison], 2), ...bench().nextEvents(keys, 5), ...bench().nextEvents([poison], 2)]);
    return poison;
  };
  const parked = async (): Promise<number> =>
    Number(
      (await bench().database.query<{ n: string }>('select count(*) as n from parked_message where "group" = $1', [bench().group]))[0]?.n,
    );

  it('waits, in order, while the partition goes on; fails when a later state is built on one that is missing', async () => {
    const poison = await poisoned();
    await bench().start();
    const letter = await firstLetter();
    await bench().handled();
    expect([(await letters()).length, await parked()]).toEqual([1, 3]);
    bench().healed = true;
    await bench().log.publish([...bench().nextEvents([poison], 1), originalOf(letter), ...bench().nextEvents([poison], 1)]);
    await bench().handled();
    expect(await bench().problems()).toEqual([]);
    expect(await parked()).toBe(0);
  });

  it('would be handled, or be lost, without waiting: the control', async () => {
    await poisoned();
    await bench().start({ parkedMsMax: null });
    await bench().handled();
    await until('all four are dead letters', async () => (await letters()).length === 4);
  });

  it.each(CRASH_POINTS)('is handled once and in order although a process dies %s', async (point) => {
    await poisoned();
    const first = await bench().start();
    const letter = await firstLetter();
    await bench().handled();
    await first.stop();
    bench().healed = true;
    await bench().log.publish([originalOf(letter)]);
    // The letter's own step, then that of what waited behind it.
    for (const times of [1, 2]) {
      const crashing = await bench().start({ crash: crashAt(point, times) });
      await Promise.race([crashing.fatal, bench().handled()]);
      await crashing.stop();
    }
    await bench().start();
    await bench().handled();
    await until('nothing is parked', async () => (await parked()) === 0);
    expect(await bench().problems()).toEqual([]);
  });

  it('closes again at the next bad one: what is behind it goes on waiting', async () => {
    await poisoned();
    await bench().start();
    await bench().log.publish([originalOf(await firstLetter())]);
    await until('it failed again', async () => (await letters()).length === 2);
    await bench().handled();
    expect(await parked()).toBe(3);
    bench().healed = true;
    await bench().log.publish([originalOf((await letters())[1] as LogMessage)]);
    await until('nothing is parked', async () => (await parked()) === 0);
    expect(await bench().problems()).toEqual([]);
  });

  it('goes on without a letter that was given up, which no group takes for a message', async () => {
    const poison = await poisoned();
    await bench().start();
    await bench().start({ group: `${bench().group}-other`, parkedMsMax: null });
    const letter = await firstLetter();
    bench().healed = true;
    await bench().log.publish([dropEvent(letter)]);
    await until('nothing is parked', async () => (await parked()) === 0);
    await bench().handled();
    const { effects } = await bench().outcome();
    expect(effects.filter(({ key }) => key === poison).map(({ n }) => n)).toEqual([2, 3, 4]);
    expect(await letters()).toHaveLength(1);
  });

  it('becomes a dead letter too when it has waited for too long; fails when something waits for ever unseen', async () => {
    const poison = await poisoned();
    const first = await bench().start();
    await bench().handled();
    await first.stop();
    expect(await parked()).toBe(3);
    await bench().start({ parkedMsMax: 0 });
    await bench().log.publish(bench().nextEvents([poison], 1));
    await bench().handled();
    await until('all four are dead letters', async () => (await letters()).length === 4);
    expect(await parked()).toBe(1);
  });

  // Fails if what waits too long is told only when the next message happens to come (B10).
  it('becomes a dead letter by time alone, although nothing comes any more', async () => {
    await poisoned();
    await bench().start({ parkedMsMax: 1_000, tickMs: 100 });
    await bench().handled();
    await until('all four are dead letters', async () => (await letters()).length === 4);
    expect(await parked()).toBe(0);
  });
}
