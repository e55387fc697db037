import { it } from 'vitest';

/** For tests that go through all characters of Unicode: seconds each, too many to repeat for every mutant. */
export const exhaustive = it.skipIf('LACUNA_MUTATION_PART' in process.env);
