import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

const plugins = [swc.vite({ module: { type: 'es6' } })];
const resolve = { conditions: ['lacuna-source'] };
// Node is given these too, for packages that Vite leaves alone: with 'import' among them a require would get an ES module.
const ssr = { resolve: { conditions: ['lacuna-source', 'node'] } };
const exclude = ['**/node_modules/**', '**/dist/**'];
const globalSetup = ['./tools/vitest-servers.mjs'];

/**
 * unit: no I/O. int: one adapter or service against real PostgreSQL or Kafka. e2e: several processes. The three run one after the other;
 * int and e2e have one PostgreSQL and one Kafka between them.
 */
export default defineConfig({
  plugins,
  resolve,
  ssr,
  test: {
    projects: [
      {
        plugins,
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['{apps,libs,tools}/**/*.spec.ts'],
          exclude: [...exclude, '**/*.int.spec.ts'],
          testTimeout: 20_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins,
        resolve,
        ssr,
        test: {
          name: 'int',
          include: ['{apps,libs}/**/*.int.spec.ts'],
          exclude,
          globalSetup,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins,
        resolve,
        ssr,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          exclude,
          globalSetup,
          testTimeout: 600_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
