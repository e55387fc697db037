import { findKcat } from './kcat.mjs';

/**
 * The real programs that the tests run against.
 * @typedef {object} Parts
 * @property {import('./summary.mjs').Row[]} rows
 * @property {Record<string, string>} env
 * @property {boolean} hasServers
 * @property {boolean} hasKafka
 * @property {() => Promise<void>} stop
 */

/**
 * Starts PostgreSQL and Kafka and looks for kcat, and says what it found. A missing part is skipped, and in CI it is a failure.
 * @param {(line: string) => void} say
 * @returns {Promise<Parts>}
 */
export async function findParts(say) {
  const missing = process.env.CI ? { failed: 1 } : { skipped: 1 };
  let began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  /** @type {import('./summary.mjs').Row[]} */
  const rows = [];
  const kcat = await findKcat(say);
  say(`kcat: ${kcat ?? 'not here, what needs it is skipped'}`);
  rows.push({ name: 'kcat', seconds: seconds(), ...(kcat ? { note: kcat } : { ...missing, note: 'not here' }) });
  began = performance.now();
  try {
    // Imported late: it runs from what the build made.
    const { startTestServers } = await import('../test-servers.mjs');
    const servers = await startTestServers(say);
    say(servers.kafka);
    say(servers.postgres);
    rows.push({ name: 'servers', seconds: seconds(), ...(servers.hasKafka ? {} : { ...missing, note: servers.kafka }) });
    const env = { ...servers.env, LACUNA_TEST_SERVERS: 'started' };
    return { rows, env, hasServers: true, hasKafka: servers.hasKafka, stop: servers.stop };
  } catch (error) {
    say(`servers: ${/** @type {Error} */ (error).message}`);
    rows.push({ name: 'servers', seconds: seconds(), failed: 1, note: 'did not start' });
    return { rows, env: {}, hasServers: false, hasKafka: false, stop: async () => undefined };
  }
}
