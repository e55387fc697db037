/**
 * Mutation testing of the evidence core: `npm run mutation`. The score is the share of changed programs that a unit test of the core notices.
 * What is left out, and why, is in docs/evidence/mutation.md.
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: [
    'libs/evidence/src/*.ts',
    '!libs/evidence/src/*.spec.ts',
    '!libs/evidence/src/{index,catalogue,normalise,normaliser-text,compare-row,key-parts}.ts',
  ],
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  tempDirName: '.lacuna/stryker',
  incremental: true,
  incrementalFile: '.lacuna/stryker-incremental.json',
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: '.lacuna/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  disableTypeChecks: true,
  ignorePatterns: ['**/dist', '.lacuna', '.nx', '/walks', '/docs', '/deploy'],
};
