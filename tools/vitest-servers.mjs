import { startTestServers } from './test-servers.mjs';

/**
 * Vitest's globalSetup of the projects `int` and `e2e`. Each project calls it; the first starts the servers, unless `npm test` already has,
 * and it stops them when the whole run is over. Workers find them in the environment.
 */
const holder = /** @type {{ lacunaTestServers?: Promise<void> }} */ (globalThis);

export default async function setUpServers() {
  if (holder.lacunaTestServers) return void (await holder.lacunaTestServers);
  if (process.env.LACUNA_TEST_SERVERS) return undefined;
  const starting = startTestServers(console.log);
  holder.lacunaTestServers = starting.then((servers) => {
    if (!servers.hasKafka && process.env.CI) throw new Error(servers.kafka);
    console.log(`${servers.kafka}\n${servers.postgres}`);
    Object.assign(process.env, servers.env);
  });
  await holder.lacunaTestServers;
  return async () => (await starting).stop();
}
