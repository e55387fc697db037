/**
 * kill -9 of search-runner and of verdict at named points between their effect and the offset commit, with questions in flight: afterwards
 * every generation has one verdict and one receipt, every key one record, and repetitions have the same bytes.
 */
import { chooseQuestions } from '@lacuna/sample-source';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCluster, runningCluster } from './cluster/running-cluster.js';
import { type DumpedMessage, dumpTopic, ofType } from './cluster/topic-dump.js';

const IN_FLIGHT = 16;
const DECIDED_WITHIN_MS = 120_000;

/** Service, named point, and whether the crash leaves the same event in the log twice. */
const kills = [
  ['verdict', 'after-commit', false],
  ['verdict', 'after-publish', true],
  ['verdict', 'before-offset-commit', false],
  ['search-runner', 'before-offset-commit', false],
  ['search-runner', 'job-stored', false],
  ['search-runner', 'job-before-settle', true],
  ['search-runner', 'job-after-settle', false],
] as const;

describe.skipIf(!process.env['LACUNA_TEST_KAFKA_BROKERS'])('after kill -9 with questions in flight', () => {
  let running: RunningCluster;
  let redelivered = 0;
  let round = 0;

  beforeAll(async () => {
    running = await runningCluster({ sampleRows: 5_000 });
  });
  afterAll(() => running?.stop());

  it.each(kills)('of %s at %s every question has one verdict, one receipt and at most one record', async (name, point, repeats) => {
    // Fails when an effect is lost or done twice: a state change outside the position's transaction, an offset trusted, a lease without a fence.
    const service = running.cluster.services[name];
    if (!service) throw new Error(`no service ${name}`);
    round += 1;
    const before = await repetitions(running.kafka.brokers);
    await service.stop();
    const asked = await askInFlight(running, round);
    // It may be killed before it was ready: what waits for it is handled at once.
    await service.start({ LACUNA_CRASH_POINT: `${point}@2` }).catch(() => undefined);
    expect(await service.untilEnded()).toBe('signal SIGKILL');
    await service.start();
    await untilDecided(running, asked);
    await expectOnce(running, asked);
    const now = await repetitions(running.kafka.brokers);
    redelivered += now - before;
    if (repeats) expect(now, 'the crash was meant to leave a repetition').toBeGreaterThan(before);
  });

  it('at least one redelivery was seen', () => {
    // Fails when the kills came at moments at which nothing had to be repeated: the test would then prove nothing.
    console.log(`messages that are in the log more than once, with the same bytes: ${redelivered}`);
    expect(redelivered).toBeGreaterThan(0);
  });

  it('receipts have leaf indexes without gaps', async () => {
    // Fails when a rolled-back batch leaves a gap, or two batches draw the same index.
    const appended = ofType(await dumpTopic(running.kafka.brokers, 'lacuna.receipts.v1'), 'lacuna.receipt.appended');
    const leaves = [...new Set(appended.map(({ payload }) => (JSON.parse(payload) as { leafIndex: number }).leafIndex))].sort(
      (a, b) => a - b,
    );
    expect(leaves).toEqual(leaves.map((_, index) => index));
  });
});

/** Half of them about keys that are there, half about new ones that are to be created; two askers for each new key. */
async function askInFlight(running: RunningCluster, round: number): Promise<string[]> {
  const { present } = await chooseQuestions(running.postgres.appUrl, { count: IN_FLIGHT / 2, seed: round });
  const found = present.map(({ account, reference, instance }) =>
    running.askers[0].ask({ register: 'service-requests', identifiers: { account, reference, instance }, waitSeconds: 0 }),
  );
  const created = Array.from({ length: IN_FLIGHT / 2 }, (_, index) => {
    const identifiers = { account: 'ACC-900001', reference: `KILL-${round}-${index >> 1}`, instance: 'eu-1' };
    return running.askers[index % 2 === 0 ? 0 : 1].ask({ register: 'service-requests', identifiers, payload: { round }, waitSeconds: 0 });
  });
  return (await Promise.all([...found, ...created])).map(({ questionId }) => questionId);
}

async function untilDecided(running: RunningCluster, questionIds: readonly string[]): Promise<void> {
  const until = Date.now() + DECIDED_WITHIN_MS;
  for (const questionId of questionIds) {
    for (;;) {
      const { state, write } = await running.askers[0].question(questionId, 10);
      if (state === 'decided' && write?.answer !== 'pending') break;
      if (Date.now() > until) throw new Error(`${questionId} is not decided: ${running.cluster.services['verdict']?.log()}`);
    }
  }
}

async function expectOnce(running: RunningCluster, asked: readonly string[]): Promise<void> {
  const { brokers } = running.kafka;
  const verdicts = ofType(await dumpTopic(brokers, 'lacuna.verdicts.v1'), 'lacuna.verdict.reached');
  const receipts = ofType(await dumpTopic(brokers, 'lacuna.receipts.v1'), 'lacuna.receipt.appended');
  for (const questionId of asked) {
    expect(distinct(verdicts, questionId), `verdicts of ${questionId}`).toHaveLength(1);
    expect(distinct(receipts, questionId), `receipts of ${questionId}`).toHaveLength(1);
  }
  const records = await recordsPerKey(running.postgres.adminUrl);
  expect(Math.max(...records)).toBe(1);
}

/** Distinct payloads about a question's first generation: a repetition with other bytes counts as a second one. */
const distinct = (messages: readonly DumpedMessage[], questionId: string): string[] => [
  ...new Set(
    messages
      .map(({ payload }) => payload)
      .filter((payload) => payload.includes(`"questionId":"${questionId}"`) && payload.includes('"generation":1')),
  ),
];

/** Messages beyond the first with the same type and id; each must have the first one's bytes. */
async function repetitions(brokers: string): Promise<number> {
  let count = 0;
  for (const topic of ['lacuna.searches.v1', 'lacuna.verdicts.v1', 'lacuna.receipts.v1', 'lacuna.writes.v1']) {
    const first = new Map<string, string>();
    for (const { headers, payload } of await dumpTopic(brokers, topic)) {
      const id = `${headers['ce_type']} ${headers['ce_id']}`;
      const seen = first.get(id);
      if (seen === undefined) first.set(id, payload);
      else {
        expect(payload, `a repetition of ${id}`).toBe(seen);
        count += 1;
      }
    }
  }
  return count;
}

/** As the superuser, whom row-level security does not bind: all records there are. */
async function recordsPerKey(adminUrl: string): Promise<number[]> {
  const url = new URL(adminUrl);
  url.pathname = '/lacuna';
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from write_guard.record group by tenant_id, target, key_digest',
    );
    return rows.map(({ count }) => count);
  } finally {
    await client.end();
  }
}
