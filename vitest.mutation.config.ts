import { defineConfig } from 'vitest/config';
import { mutationPart } from './tools/mutation-parts.mjs';

const { include, exclude } = mutationPart();

/** For Stryker: the core's specs, without the property specs that run thousands of cases for every mutant. */
export default defineConfig({
  resolve: { conditions: ['lacuna-source'] },
  ssr: { resolve: { conditions: ['lacuna-source', 'node'] } },
  test: { include, exclude, testTimeout: 20_000, isolate: false, fileParallelism: false },
});
