/** Many askers for few keys, through a whole write-guard: several partitions, batches and transactions at once. */
import { events, type WriteSettled } from '@lacuna/events';
import { OWN_WRITES, type Register } from '@lacuna/evidence';
import type { ServiceDefinition } from '@lacuna/runtime';
import { aNamedRecord, aRegisterWithTarget, freshId } from '@lacuna/testing';
import { Module } from '@nestjs/common';
import { writeGuard } from '../src/index.js';
import { DeliveriesHandler } from '../src/write/deliveries.handler.js';
import { QuestionsHandler } from '../src/write/questions.handler.js';
import { RegistersHandler } from '../src/write/registers.handler.js';
import { ReviewsHandler } from '../src/write/reviews.handler.js';
import { SettleWrites } from '../src/write/settle-writes.js';
import { Slots } from '../src/write/slots.js';
import { VerdictsHandler } from '../src/write/verdicts.handler.js';
import { aWantedRecord, type WantedRecord } from './a-wanted-write.js';
import { WriteGuardBench } from './running-write-guard.js';

export interface RaceSize {
  readonly keys: number;
  readonly racers: number;
  /** Each key has a record already, closed since, and every racer's receipt shows it in that reusable status. */
  readonly reused?: boolean;
}

export interface RaceOutcome {
  readonly racers: readonly WantedRecord[];
  readonly answers: readonly WriteSettled[];
  readonly elapsedMs: number;
}

const PARTITIONS = 8;
/** Small ones make many batches, and so many transactions. */
const PORTION = 120;
const PUBLISHERS = 3;
const CLOSED = 'closed';

/** The same service with another way to take slots. */
export function writeGuardWith(slots: Slots, migrations: ServiceDefinition['migrations'] = []): ServiceDefinition {
  class OtherModule {}
  const controllers = [QuestionsHandler, VerdictsHandler, RegistersHandler, ReviewsHandler, DeliveriesHandler];
  Module({ controllers, providers: [SettleWrites, { provide: Slots, useValue: slots }] })(OtherModule);
  return { ...writeGuard, migrations: [...writeGuard.migrations, ...migrations], module: OtherModule };
}

export const openRace = (definition: ServiceDefinition = writeGuard): Promise<WriteGuardBench> =>
  WriteGuardBench.open({ partitions: PARTITIONS, definition });

/** Two owners share the partitions; verdicts come in small portions, the racers of one key far apart from each other. */
export async function race(bench: WriteGuardBench, { keys, racers, reused = false }: RaceSize): Promise<RaceOutcome> {
  const tenantId = freshId('tenant');
  const register = aRegisterWithTarget({ status: { reusable: [CLOSED], follow: [] } });
  const references = Array.from({ length: keys }, () => freshId('sr'));
  await bench.start();
  await bench.start();
  await bench.log.publish([aWantedRecord({ tenantId, register }).published]);
  const closed = reused ? await closedRecords(bench, { tenantId, register, references }) : new Map<string, string>();
  const wanted = Array.from({ length: racers }, () =>
    references.map((reference) => {
      const recordId = closed.get(reference);
      const reusable = recordId ? [aNamedRecord({ source: OWN_WRITES, recordId, version: null, status: CLOSED })] : [];
      return aWantedRecord({ tenantId, reference, register, verdict: { reusable } });
    }),
  ).flat();
  await bench.log.publish(wanted.map((one) => one.asked));
  await bench.handled();
  const beganAt = performance.now();
  await Promise.all(Array.from({ length: PUBLISHERS }, (_, publisher) => publishPortions(bench, wanted, publisher)));
  await bench.handled();
  const elapsedMs = performance.now() - beganAt;
  const raced = new Set(wanted.map(({ question }) => question.questionId));
  const answers = (await bench.published(events.writeSettled)).filter(({ questionId }) => raced.has(questionId));
  return { racers: wanted, answers, elapsedMs };
}

/** One record per reference, created and then closed; the id of each. */
async function closedRecords(
  bench: WriteGuardBench,
  { tenantId, register, references }: { tenantId: string; register: Register; references: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const wanted = references.map((reference) => aWantedRecord({ tenantId, reference, register }));
  await bench.tell(...wanted.map((one) => one.asked));
  await bench.tell(...wanted.map((one) => one.reached));
  await bench.rows('update record set status = $2 where tenant_id = $1', [tenantId, CLOSED]);
  const byQuestion = answersBy(await bench.published(events.writeSettled), ({ questionId }) => questionId);
  return new Map(
    references.map((reference, at) => [reference, String(byQuestion.get(wanted[at]?.question.questionId ?? '')?.[0]?.recordId)]),
  );
}

/** Every so many portions are this publisher's. */
async function publishPortions(bench: WriteGuardBench, wanted: readonly WantedRecord[], publisher: number): Promise<void> {
  for (let from = publisher * PORTION; from < wanted.length; from += PUBLISHERS * PORTION)
    await bench.log.publish(wanted.slice(from, from + PORTION).map((one) => one.reached));
}

export type RaceCheck = 'answered once' | 'one created' | 'others exist';

/** What is wrong, by the check that found it; nothing is wrong when it is empty. */
export function raceProblems({ racers, answers }: RaceOutcome): Partial<Record<RaceCheck, string>> {
  const byQuestion = answersBy(answers, ({ questionId }) => questionId);
  const unanswered = racers.filter(({ question }) => byQuestion.get(question.questionId)?.length !== 1).length;
  const byKey = answersBy(answers, ({ keyDigest }) => keyDigest);
  const createdOf = (key: string) => (byKey.get(key) ?? []).filter(({ answer }) => answer === 'created');
  const wrongKeys = [...byKey.keys()].filter((key) => createdOf(key).length !== 1).length;
  const others = answers.filter(({ answer }) => answer !== 'created');
  const astray = others.filter(({ answer, keyDigest, recordId }) => answer !== 'exists' || recordId !== createdOf(keyDigest)[0]?.recordId);
  return {
    ...(unanswered > 0 ? { 'answered once': `${unanswered} of ${racers.length} attempts have not exactly one answer` } : {}),
    ...(wrongKeys > 0 ? { 'one created': `${wrongKeys} of ${byKey.size} keys have not exactly one record created` } : {}),
    ...(astray.length > 0 ? { 'others exist': `${astray.length} of ${others.length} others were not told the record that exists` } : {}),
  };
}

export function answersBy(answers: readonly WriteSettled[], nameOf: (answer: WriteSettled) => string): ReadonlyMap<string, WriteSettled[]> {
  const groups = new Map<string, WriteSettled[]>();
  for (const answer of answers) {
    const group = groups.get(nameOf(answer)) ?? [];
    groups.set(nameOf(answer), group);
    group.push(answer);
  }
  return groups;
}
