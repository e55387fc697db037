import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** The arrows of docs/ARCHITECTURE.md. A tag may depend on the tags listed after it, and on nothing else of ours. */
const arrows = [
  ['lib:evidence', []],
  ['lib:events', []],
  ['lib:receipts', []],
  ['lib:messaging', ['lib:events']],
  ['lib:kafka', ['lib:messaging', 'lib:events']],
  ['lib:postgres', ['lib:messaging', 'lib:events']],
  ['lib:connectors', ['lib:evidence']],
  ['lib:runtime', ['lib:events', 'lib:messaging', 'lib:kafka', 'lib:postgres']],
  [
    'lib:testing',
    ['lib:events', 'lib:messaging', 'lib:kafka', 'lib:postgres', 'lib:evidence', 'lib:receipts', 'lib:connectors', 'lib:runtime'],
  ],
  [
    'type:app',
    ['lib:events', 'lib:messaging', 'lib:kafka', 'lib:postgres', 'lib:evidence', 'lib:receipts', 'lib:connectors', 'lib:runtime'],
  ],
  [
    'type:composition',
    ['type:app', 'lib:connectors', 'lib:events', 'lib:messaging', 'lib:postgres', 'lib:runtime', 'lib:receipts', 'lib:evidence'],
  ],
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', 'coverage/**', '.lacuna/**', 'tools/fixtures/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          allow: [],
          depConstraints: arrows.map(([sourceTag, onlyDependOnLibsWithTags]) => ({ sourceTag, onlyDependOnLibsWithTags })),
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
    },
  },
  {
    files: ['libs/evidence/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-globals': ['error', 'Date', 'performance', 'crypto', 'process', 'fetch', 'setTimeout', 'setInterval'],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
      'no-restricted-imports': ['error', { patterns: ['node:*', '@lacuna/*'] }],
    },
  },
  {
    files: ['**/*.spec.ts', '**/test/**/*.ts', 'e2e/**/*.ts', 'docs/how-to/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off', '@typescript-eslint/no-explicit-any': 'off' },
  },
);
