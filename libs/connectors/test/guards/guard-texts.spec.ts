import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { guards } from './guards.js';

const libs = new URL('../../../', import.meta.url);

// Fails, long before the walks are run without it, if the line that a guard stands in was rewritten.
it('every guard stands exactly once in its file', () => {
  const edits = guards.flatMap((guard) => [guard, ...(guard.also ? [guard.also] : [])].map((edit) => ({ ...edit, name: guard.name })));
  const gone = edits.filter(({ file, from }) => readFileSync(new URL(file, libs), 'utf8').split(from).length !== 2);
  expect(gone.map(({ name, file }) => `${name} in ${file}`)).toEqual([]);
});
