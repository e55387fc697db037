import { startPostgresServer } from '@lacuna/embedded/postgres-server';

/**
 * @typedef {object} Postgres
 * @property {'external' | 'local'} kind
 * @property {string} adminUrl the superuser; of an external one whatever it was given
 * @property {string} appUrl the role that row-level security binds
 * @property {number | null} pid
 * @property {() => Promise<void>} stop and the data is gone, if it was temporary; an external one goes on
 * @property {() => Promise<void>} kill9
 * @property {() => Promise<void>} restart on the same port and data
 */

/**
 * A PostgreSQL that ends with this process, or the one that LACUNA_TEST_DATABASE_URL names.
 * @param {import('@lacuna/embedded/postgres-server').PostgresServerOptions & { own?: boolean }} [options] own: one that may be killed, so
 *   never the external one
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ own = false, ...options } = {}) {
  const { LACUNA_TEST_DATABASE_URL: appUrl, LACUNA_TEST_ADMIN_DATABASE_URL: adminUrl } = process.env;
  if (appUrl && !own) return externalPostgres(appUrl, adminUrl || appUrl);
  const server = await startPostgresServer(options);
  return Object.defineProperty({ kind: 'local', ...server }, 'pid', { get: () => server.pid });
}

/** @param {string} appUrl @param {string} adminUrl @returns {Postgres} */
function externalPostgres(appUrl, adminUrl) {
  const refuse = async () => {
    throw new Error('the PostgreSQL of LACUNA_TEST_DATABASE_URL is not ours to stop: unset it');
  };
  return { kind: 'external', adminUrl, appUrl, pid: null, stop: async () => undefined, kill9: refuse, restart: refuse };
}
