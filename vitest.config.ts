import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

const plugins = [swc.vite({ module: { type: 'es6' } })];
const resolve = { conditions: ['lacuna-source'] };
const ssr = { resolve: { conditions: ['lacuna-source', 'node', 'import', 'default'] } };

/** unit: no I/O. int: one adapter or service against real PostgreSQL or Kafka. e2e: several processes. */
export default defineConfig({
  plugins,
  resolve,
  ssr,
  test: {
    projects: [
      {
        plugins, resolve, ssr,
        test: { name: 'unit', include: ['{apps,libs}/**/*.spec.ts', 'tools/**/*.spec.ts'], exclude: ['**/node_modules/**', '**/dist/**', '**/*.int.spec.ts'] },
      },
      {
        plugins, resolve, ssr,
        test: { name: 'int', include: ['{apps,libs}/**/*.int.spec.ts'], exclude: ['**/node_modules/**', '**/dist/**'], testTimeout: 60_000, hookTimeout: 120_000, maxWorkers: 2 },
      },
      {
        plugins, resolve, ssr,
        test: { name: 'e2e', include: ['e2e/**/*.e2e.ts'], exclude: ['**/node_modules/**', '**/dist/**'], testTimeout: 600_000, hookTimeout: 300_000, fileParallelism: false },
      },
    ],
  },
});
