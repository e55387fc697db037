import { NoKafkaError, startKafka } from './kafka.mjs';
import { startPostgres } from './postgres.mjs';

/**
 * @typedef {object} TestServers
 * @property {Record<string, string>} env where they are, for the tests
 * @property {string} kafka what was found, in one line
 * @property {string} postgres
 * @property {boolean} hasKafka
 * @property {() => Promise<void>} stop
 */

const KINDS = { external: 'external', docker: 'Docker', local: 'local jars' };

/**
 * One PostgreSQL and one Kafka for all tests of a run. Without Kafka to be had its variable stays unset; any other failure is thrown.
 * @param {(line: string) => void} [say]
 * @returns {Promise<TestServers>}
 */
export async function startTestServers(say) {
  const [postgres, kafka] = await Promise.allSettled([startPostgres(), startKafka({ say })]);
  const stop = async () => {
    await Promise.all([postgres, kafka].map((server) => (server.status === 'fulfilled' ? server.value.stop() : undefined)));
  };
  const noKafka = kafka.status === 'rejected' && kafka.reason instanceof NoKafkaError;
  if (postgres.status === 'rejected' || (kafka.status === 'rejected' && !noKafka)) {
    await stop();
    throw postgres.status === 'rejected' ? postgres.reason : /** @type {PromiseRejectedResult} */ (kafka).reason;
  }
  const { appUrl, adminUrl, kind } = postgres.value;
  return {
    env: {
      LACUNA_TEST_DATABASE_URL: appUrl,
      LACUNA_TEST_ADMIN_DATABASE_URL: adminUrl,
      ...(kafka.status === 'fulfilled' ? { LACUNA_TEST_KAFKA_BROKERS: kafka.value.brokers } : {}),
    },
    kafka: kafka.status === 'fulfilled' ? `Kafka: ${KINDS[kafka.value.kind]}, ${kafka.value.brokers}` : `Kafka: ${kafka.reason.message}`,
    postgres: `PostgreSQL: ${kind}, ${new URL(appUrl).host}`,
    hasKafka: kafka.status === 'fulfilled',
    stop,
  };
}
