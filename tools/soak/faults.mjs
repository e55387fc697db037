import { setTimeout as sleep } from 'node:timers/promises';
import { shuffled } from './seeded.mjs';

/**
 * What goes wrong while questions are asked. Each leaves the parts as it found them; a service that ended is started again, as whoever runs
 * it in production would.
 * @typedef {import('./soak-cluster.mjs').SoakCluster} SoakCluster
 * @typedef {{ name: string, happen: (running: SoakCluster, draw: () => number) => Promise<string> }} Fault
 */

const BROKEN_MS = 3_000;
const DELAY_MS = 150;

/** @type {readonly Fault[]} */
export const faults = [
  {
    name: 'kill -9 of a service',
    happen: async ({ cluster, settle }, draw) => {
      const service = oneOf(Object.values(cluster.services), draw);
      await service.kill9();
      await settle();
      return service.name;
    },
  },
  {
    name: 'SIGSTOP of a service for longer than its session',
    happen: async ({ cluster, settle, sessionTimeoutMs }, draw) => {
      const service = oneOf(
        Object.values(cluster.services).filter(({ name }) => name !== 'gateway'),
        draw,
      );
      const pid = service.pid();
      process.kill(pid, 'SIGSTOP');
      await sleep(sessionTimeoutMs + BROKEN_MS);
      if (!service.hasEnded()) process.kill(pid, 'SIGCONT');
      await settle();
      return service.name;
    },
  },
  {
    name: 'the broker is killed and comes back',
    happen: async ({ kafka }) => {
      await kafka.kill9();
      await sleep(BROKEN_MS);
      await kafka.restart();
      return kafka.kind;
    },
  },
  {
    name: 'the broker stands still and goes on',
    happen: async ({ kafka }) => {
      if (kafka.pid === null) return 'skipped: no process of ours';
      process.kill(kafka.pid, 'SIGSTOP');
      await sleep(BROKEN_MS);
      process.kill(kafka.pid, 'SIGCONT');
      return kafka.kind;
    },
  },
  {
    name: 'the database is killed and comes back',
    happen: async ({ postgres }) => {
      await postgres.kill9();
      await sleep(BROKEN_MS);
      await postgres.restart();
      return postgres.kind;
    },
  },
  {
    name: 'all connections to the database are reset',
    happen: async ({ wire }) => `${wire.resetAll()} connections`,
  },
  {
    name: 'the wire to the database is slow, and then reset',
    happen: async ({ wire }) => {
      wire.delay(DELAY_MS);
      await sleep(BROKEN_MS);
      wire.delay(0);
      return `${DELAY_MS} ms a chunk, ${wire.resetAll()} connections reset`;
    },
  },
];

/** Each of them once, in an order of the seed. @param {() => number} draw */
export const faultsOfRound = (draw) => shuffled(faults, draw);

/** @template T @param {readonly T[]} items @param {() => number} draw @returns {T} */
const oneOf = (items, draw) => /** @type {T} */ (items[Math.floor(draw() * items.length)]);
