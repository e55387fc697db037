import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { askAll, questionsOfRound, untilAnswered } from './ask.mjs';
import { conserved } from './conserved.mjs';
import { faultsOfRound } from './faults.mjs';
import { logBetween, messagesBetween, untilStill } from './read-log.mjs';
import { seeded } from './seeded.mjs';

/**
 * @typedef {object} RoundOutcome
 * @property {number} round
 * @property {number} messages of the log
 * @property {Record<string, number>} counts
 * @property {Record<string, string>} problems
 * @property {{ name: string, what: string }[]} faults
 * @property {import('./read-log.mjs').Ends} ends where the log ended behind it
 * @property {number} seconds
 */

const BETWEEN_FAULTS_MS = 2_000;
const SERVICES_LOOK_MS = 1_000;

/**
 * One round: questions are asked while everything goes wrong once, until all are answered; then the log and the target table are checked.
 * @param {import('./soak-cluster.mjs').SoakCluster} running
 * @param {{ round: number, seed: number, questions: number, sideBySide: number, paceMs?: number, from: import('./read-log.mjs').Ends, withFaults?: boolean, say: (line: string) => void }} options
 * @returns {Promise<RoundOutcome>}
 */
export async function soakRound(running, { round, seed, questions, sideBySide, paceMs = 0, from, withFaults = true, say }) {
  const beganAt = performance.now();
  const draw = seeded(seed * 1_000 + round);
  const { cluster, apiKeys, kafka, postgres } = running;
  const wanted = await questionsOfRound(postgres.appUrl, { round, seed, count: questions });
  const supervisor = supervise(running);
  try {
    const faults = withFaults ? goWrong(running, draw, say) : Promise.resolve([]);
    const accepted = (/** @type {number} */ count) => {
      if (count % 500 === 0) say(`round ${round}: ${count} of ${wanted.length} questions accepted`);
    };
    const [asked, happened] = await Promise.all([askAll({ url: cluster.url, apiKeys, wanted, sideBySide, paceMs, accepted }), faults]);
    await running.settle();
    const ids = asked.map(({ questionId }) => questionId);
    await untilAnswered(cluster.url, apiKeys[0], ids);
    const ends = await untilStill(kafka.brokers);
    const log = await logBetween(kafka.brokers, from, ends);
    const records = await recordsOfRound(postgres.adminUrl, `${seed}/${round}`);
    const { counts, problems } = conserved({ asked: ids, log, records });
    return {
      round,
      messages: messagesBetween(from, ends),
      counts,
      problems,
      faults: happened,
      ends,
      seconds: Math.round((performance.now() - beganAt) / 1_000),
    };
  } finally {
    supervisor.stop();
  }
}

/** A service that ended is started again, as whoever runs it would. @param {import('./soak-cluster.mjs').SoakCluster} running */
function supervise(running) {
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      await running.settle().catch(() => undefined);
      await sleep(SERVICES_LOOK_MS);
    }
  })();
  return { stop: () => ((isOver = true), looking) };
}

/** @param {import('./soak-cluster.mjs').SoakCluster} running @param {() => number} draw @param {(line: string) => void} say */
async function goWrong(running, draw, say) {
  const happened = [];
  for (const { name, happen } of faultsOfRound(draw)) {
    await sleep(BETWEEN_FAULTS_MS);
    const what = await happen(running, draw);
    say(`${name}: ${what}`);
    happened.push({ name, what });
  }
  return happened;
}

/** As the superuser, whom row-level security does not bind. @param {string} adminUrl @param {string} name in the payload of each */
async function recordsOfRound(adminUrl, name) {
  const url = new URL(adminUrl);
  url.pathname = '/lacuna';
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    const { rows } = await client.query(
      `select record_id as "recordId", key_digest as key from write_guard.record where payload ->> 'soak' = $1`,
      [name],
    );
    return /** @type {import('./conserved.mjs').StoredRecord[]} */ (rows);
  } finally {
    await client.end();
  }
}
