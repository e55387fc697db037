import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { secretsOf } from './secrets.js';

const folder = mkdtempSync(join(tmpdir(), 'lacuna-secrets-'));
const file = join(folder, 'password');
writeFileSync(file, 'from the file\n');
afterAll(() => rmSync(folder, { recursive: true }));

describe('a secret that a register names', () => {
  it.each([
    ['a variable', { env: 'X' }, { X: 'direct' }, 'direct'],
    ['the file of a variable', { env: 'X' }, { X_FILE: file }, 'from the file'],
    ['the variable, where both are there', { env: 'X' }, { X: 'direct', X_FILE: file }, 'direct'],
    ['a file', { file }, {}, 'from the file'],
    ['nothing, where neither is there', { env: 'X' }, {}, null],
    ['nothing, where it is empty', { env: 'X' }, { X: '' }, null],
    ['nothing, where the file is not there', { env: 'X' }, { X_FILE: join(folder, 'absent') }, null],
  ])('is read from %s', (_, reference, environment, value) => {
    expect(secretsOf(environment)(reference)).toBe(value);
  });
});
