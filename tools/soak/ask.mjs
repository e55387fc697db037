import { setTimeout as sleep } from 'node:timers/promises';
import { chooseQuestions } from '@lacuna/sample-source';

/**
 * @typedef {object} Wanted one question; two askers may want the same new record
 * @property {string} key idempotency key: repeated until it is accepted
 * @property {{ account: string, reference: string, instance: string }} identifiers
 * @property {object | null} payload
 * @property {0 | 1} asker
 *
 * @typedef {{ questionId: string, wanted: Wanted }} Accepted
 */

const ANSWERED_WITHIN_MS = 300_000;
const REQUEST_MS_MAX = 70_000;
const RETRY_MS = 500;
const WAIT_SECONDS = 5;

/**
 * A quarter about records that are there; of the rest each new record is wanted by two askers.
 * @param {string} databaseUrl @param {{ round: number, seed: number, count: number }} options @returns {Promise<Wanted[]>}
 */
export async function questionsOfRound(databaseUrl, { round, seed, count }) {
  const { present } = await chooseQuestions(databaseUrl, { count: Math.ceil(count / 4), seed: seed + round });
  /** @type {Wanted[]} */
  const found = present.map(({ account, reference, instance }, at) => ({
    key: `soak-${seed}-${round}-p${at}`,
    identifiers: { account, reference, instance },
    payload: null,
    asker: at % 2 === 0 ? 0 : 1,
  }));
  /** @type {Wanted[]} */
  const created = Array.from({ length: count - found.length }, (_, at) => ({
    key: `soak-${seed}-${round}-c${at}`,
    identifiers: { account: 'ACC-900003', reference: `SOAK-${seed}-${round}-${at >> 1}`, instance: 'eu-1' },
    payload: { soak: `${seed}/${round}` },
    asker: at % 2 === 0 ? 0 : 1,
  }));
  return [...found, ...created].sort((one, other) => (one.key.slice(-3) < other.key.slice(-3) ? -1 : 1));
}

/**
 * Asks them, some side by side, each until it is accepted. The pace is the system's: an asker waits some seconds for each answer.
 * @param {{ url: string, apiKeys: readonly [string, string], wanted: readonly Wanted[], sideBySide: number, paceMs?: number, accepted?: (count: number) => void }} options
 * @returns {Promise<Accepted[]>}
 */
export async function askAll({ url, apiKeys, wanted, sideBySide, paceMs = 0, accepted = () => undefined }) {
  const queue = [...wanted];
  /** @type {Accepted[]} */
  const all = [];
  const asker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { questionId } = await untilOk(() => ask(url, apiKeys[next.asker], next));
      all.push({ questionId, wanted: next });
      accepted(all.length);
      if (paceMs > 0) await sleep(paceMs);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, asker));
  return all;
}

/** @param {string} url @param {string} apiKey @param {Wanted} wanted */
async function ask(url, apiKey, { key, identifiers, payload }) {
  const body = {
    register: 'service-requests',
    identifiers: Object.entries(identifiers).map(([name, value]) => ({ name, value, provenance: 'system' })),
    ...(payload ? { intent: { kind: 'create', payload } } : {}),
  };
  const response = await fetch(new URL(`/v1/questions?wait=${WAIT_SECONDS}`, url), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  });
  return { status: response.status, body: await response.json() };
}

/** Until each has its verdict, and the answer to its write. @param {string} url @param {string} apiKey @param {readonly string[]} questionIds */
export async function untilAnswered(url, apiKey, questionIds) {
  for (const questionId of questionIds) {
    const until = Date.now() + ANSWERED_WITHIN_MS;
    for (;;) {
      const answer = await untilOk(() => look(url, apiKey, questionId));
      if (answer.state === 'decided' && answer.write?.answer !== 'pending') break;
      if (Date.now() > until)
        throw new Error(`${questionId} has no answer after ${ANSWERED_WITHIN_MS / 1000} s: ${JSON.stringify(answer)}`);
    }
  }
}

/** @param {string} url @param {string} apiKey @param {string} questionId */
async function look(url, apiKey, questionId) {
  const response = await fetch(new URL(`/v1/questions/${questionId}?wait=${WAIT_SECONDS}`, url), {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  });
  return { status: response.status, body: await response.json() };
}

/** A 4xx is a mistake of ours; anything else is the weather. @param {() => Promise<{ status: number, body: any }>} request */
async function untilOk(request) {
  const until = Date.now() + ANSWERED_WITHIN_MS;
  for (let last = 'no answer'; ; await sleep(RETRY_MS)) {
    try {
      const { status, body } = await request();
      if (status === 200 || status === 202) return body;
      last = `${status} ${JSON.stringify(body)}`;
      if (status < 500) throw new RangeError(last);
    } catch (error) {
      if (error instanceof RangeError) throw new Error(`the gateway refuses: ${error.message}`);
      last = /** @type {Error} */ (error).message;
    }
    if (Date.now() > until) throw new Error(`the gateway gave no answer within ${ANSWERED_WITHIN_MS / 1000} s: ${last}`);
  }
}
