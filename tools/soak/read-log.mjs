import { topics } from '@lacuna/events';
import { KafkaEventLog } from '@lacuna/kafka';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * One message as it lies in the log.
 * @typedef {{ topic: string, key: string, type: string, id: string, value: string }} Logged
 * @typedef {Record<string, string>} Ends next offset, by topic/partition
 */

const READ_MAX = 5_000;
const STILL_MS = 3_000;
const STILL_WITHIN_MS = 180_000;

const quiet = () => undefined;

/** @template T @param {string} brokers @param {(log: KafkaEventLog) => Promise<T>} work @returns {Promise<T>} */
async function withLog(brokers, work) {
  const log = new KafkaEventLog({
    brokers: brokers.split(','),
    clientId: 'lacuna-soak',
    logger: { info: quiet, warn: quiet, error: quiet },
  });
  await log.start();
  try {
    return await work(log);
  } finally {
    await log.stop();
  }
}

/** @param {KafkaEventLog} log @returns {Promise<Ends>} */
async function endsNow(log) {
  /** @type {Ends} */
  const ends = {};
  for (const topic of Object.values(topics))
    for (const [partition, end] of await log.ends(topic)) ends[`${topic}/${partition}`] = String(end);
  return ends;
}

/** Where the log ends, once nothing has been added for some seconds. @param {string} brokers @returns {Promise<Ends>} */
export const untilStill = (brokers) =>
  withLog(brokers, async (log) => {
    const until = Date.now() + STILL_WITHIN_MS;
    for (let before = JSON.stringify(await endsNow(log)); ;) {
      await sleep(STILL_MS);
      const now = await endsNow(log);
      if (JSON.stringify(now) === before) return now;
      if (Date.now() > until) return now;
      before = JSON.stringify(now);
    }
  });

/** Everything between two ends, in the order of each partition. @param {string} brokers @param {Ends} from @param {Ends} to @returns {Promise<Logged[]>} */
export const logBetween = (brokers, from, to) =>
  withLog(brokers, async (log) => {
    /** @type {Logged[]} */
    const found = [];
    for (const [place, end] of Object.entries(to)) {
      const [topic = '', partition = ''] = place.split('/');
      for (let at = BigInt(from[place] ?? '0'); at < BigInt(end);) {
        const messages = await log.read({ topic, partition: Number(partition) }, at, READ_MAX);
        if (messages.length === 0) break;
        for (const { key, headers, value, offset } of messages) {
          at = offset + 1n;
          if (at > BigInt(end)) break;
          found.push({
            topic,
            key: String(key),
            type: String(headers['ce_type'] ?? ''),
            id: String(headers['ce_id'] ?? ''),
            value: value?.toString('utf8') ?? '',
          });
        }
      }
    }
    return found;
  });

/** Messages between two ends. @param {Ends} from @param {Ends} to */
export const messagesBetween = (from, to) =>
  Object.entries(to).reduce((sum, [place, end]) => sum + Number(BigInt(end) - BigInt(from[place] ?? '0')), 0);
