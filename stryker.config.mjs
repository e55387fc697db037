import { mutationPart } from './tools/mutation-parts.mjs';

const { name, mutate } = mutationPart();

/**
 * Mutation testing of the evidence core: `npm run mutation`. The score is the share of changed programs that a unit test of the core notices.
 * What is left out, and why, is in docs/evidence/mutation.md.
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate,
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  tempDirName: '.lacuna/stryker',
  incremental: true,
  incrementalFile: `.lacuna/stryker-${name}.json`,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `.lacuna/mutation-${name}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  disableTypeChecks: true,
  ignorePatterns: ['**/dist', '.lacuna', '.nx', '/walks', '/docs', '/deploy'],
};
