import { defineConfig } from 'vitest/config';

/**
 * For Stryker: the core's quick unit specs. The property specs run thousands of cases for every mutant, and the specs of the normal forms
 * try files that are not mutated here.
 */
export default defineConfig({
  resolve: { conditions: ['lacuna-source'] },
  ssr: { resolve: { conditions: ['lacuna-source', 'node'] } },
  test: {
    include: ['libs/evidence/src/*.spec.ts'],
    exclude: ['**/{invariants,spellings,normalise,normaliser-versions,instant}.spec.ts'],
    testTimeout: 20_000,
    isolate: false,
    fileParallelism: false,
  },
});
