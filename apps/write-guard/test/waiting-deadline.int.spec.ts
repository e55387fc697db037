/** Verdicts whose question or register never comes. */
import { events, topics } from '@lacuna/events';
import { deadLetterTopic, type LogMessage, originalOf } from '@lacuna/messaging';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WAITING_MS_MAX } from '../src/write/waiting-deadline.js';
import { aWantedRecord, type WantedRecord } from './a-wanted-write.js';
import { atWriting, until, WriteGuardBench } from './running-write-guard.js';

let bench: WriteGuardBench;
beforeAll(async () => {
  bench = await WriteGuardBench.open();
  await bench.start();
});
afterAll(() => bench.close());
beforeEach(() => void (bench.now = atWriting));

const afterMs = (ms: number) => new Date(atWriting.getTime() + ms);
const DEAD = deadLetterTopic(topics.verdicts, 'write-guard');
const lettersOf = async ({ reached }: WantedRecord): Promise<LogMessage[]> => {
  const letters: LogMessage[] = [];
  for (const partition of (await bench.log.ends(DEAD)).keys()) letters.push(...(await bench.log.read({ topic: DEAD, partition }, 0n, 100)));
  return letters.filter((letter) => letter.key?.equals(reached.key));
};
const waiting = async ({ tenantId }: WantedRecord) =>
  (await bench.rows('select question_id from waiting_verdict where tenant_id = $1', [tenantId])).length;
const told = async ({ question }: WantedRecord, definition: typeof events.deliveryStalled | typeof events.deliveryCleared) =>
  (await bench.published<{ questionId: string; group: string; message: string }>(definition as never)).filter(
    ({ questionId }) => questionId === question.questionId,
  );

describe('a verdict that waits', () => {
  it.each([
    ['its question', 'published'],
    ['its register', 'asked'],
  ] as const)(
    // Fails if a write waits for ever, unseen, for what never comes.
    'for %s for too long is a dead letter with its exact bytes, and its question is told',
    async (_what, there) => {
      const wanted = aWantedRecord();
      await bench.tell(wanted[there], wanted.reached);
      bench.now = afterMs(WAITING_MS_MAX);
      await until('it is a dead letter', async () => (await lettersOf(wanted)).length === 1);
      const [letter] = await lettersOf(wanted);
      expect(letter?.value?.equals(wanted.reached.value)).toBe(true);
      expect(letter?.headers['errors.reason']?.toString()).toBe('parked-too-long');
      const at = { topic: topics.verdicts, partition: Number(letter?.headers['errors.partition']?.toString()) };
      const [original] = await bench.log.read(at, BigInt(letter?.headers['errors.offset']?.toString() ?? '-1'), 1);
      expect(original?.value?.equals(wanted.reached.value)).toBe(true);
      expect(await told(wanted, events.deliveryStalled)).toMatchObject([
        { group: 'write-guard', message: `${at.topic}/${at.partition}/${original?.offset}` },
      ]);
      expect(await waiting(wanted)).toBe(0);
    },
  );

  // Fails if it is given up before its time: the control of the test above.
  it('is left alone until then, and judged when the last of what it lacks comes', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.published, wanted.reached);
    bench.now = afterMs(WAITING_MS_MAX - 1);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect([await waiting(wanted), await lettersOf(wanted)]).toEqual([1, []]);
    bench.now = atWriting;
    await bench.tell(wanted.asked);
    bench.now = afterMs(WAITING_MS_MAX);
    await until('its deadline was looked at', async () => (await jobsOf(wanted)) === 0);
    expect(await lettersOf(wanted)).toEqual([]);
  });

  // Fails if an operator cannot bring it back, or the question stays blocked although it was judged.
  it('is judged once it was put back after all that it lacked has come, and its question is cleared', async () => {
    const wanted = aWantedRecord();
    await bench.tell(wanted.reached);
    bench.now = afterMs(WAITING_MS_MAX);
    await until('it is a dead letter', async () => (await lettersOf(wanted)).length === 1);
    bench.now = atWriting;
    await bench.tell(wanted.published, wanted.asked);
    const answers = async () =>
      (await bench.published(events.writeSettled)).filter(({ questionId }) => questionId === wanted.question.questionId);
    expect(await answers()).toEqual([]);
    const [letter] = await lettersOf(wanted);
    await bench.tell(originalOf(letter as LogMessage));
    await until('it is answered', async () => (await answers()).length > 0);
    expect(await answers()).toMatchObject([{ answer: 'created' }]);
    expect(await told(wanted, events.deliveryCleared)).toHaveLength(1);
  });
});

const jobsOf = async ({ tenantId }: WantedRecord) =>
  (await bench.rows(`select key from job where queue = 'waiting-verdict' and tenant_id = $1`, [tenantId])).length;
