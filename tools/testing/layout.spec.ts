import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { layoutBreaches } from './layout.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lacuna-layout-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const aFile = (path: string, lines = 1) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), 'line\n'.repeat(lines));
};

it('a folder named for nothing is refused', () => {
  aFile('libs/evidence/src/utils/dates.ts');
  expect(layoutBreaches(root)).toEqual(['libs/evidence/src/utils: name it after what it holds']);
});

it('a source file of more than 400 lines is refused', () => {
  aFile('apps/gateway/src/fits.ts', 400);
  aFile('apps/gateway/src/long.ts', 401);
  expect(layoutBreaches(root)).toEqual(['apps/gateway/src/long.ts: 401 lines, and 400 at most: split it by idea']);
});

it('what is built or installed is left alone', () => {
  aFile('libs/evidence/dist/common/long.ts', 500);
  aFile('libs/evidence/node_modules/shared/index.ts');
  expect(layoutBreaches(root)).toEqual([]);
});
