import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '@lacuna/runtime';
import { afterAll, describe, expect, it } from 'vitest';
import { openSigningKey } from '../src/signing-key.js';

describe('the signing key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-keys-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is made at the first start, for its owner’s eyes only, with its public half beside it; later starts read it', () => {
    const file = join(folder, 'new', 'receipts.pem');
    const made = openSigningKey(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${file}.pub`, 'utf8')).toBe(made.publicKeyPem);
    expect(openSigningKey(file).keyid).toBe(made.keyid);
  });

  it('is not replaced when its file cannot be read as one; fails when a damaged file silently starts a new log', () => {
    const file = join(folder, 'damaged.pem');
    writeFileSync(file, 'no key');
    expect(() => openSigningKey(file)).toThrow();
    expect(readFileSync(file, 'utf8')).toBe('no key');
  });

  it('must be named: the start says what to set', () => {
    expect(() => openSigningKey(null)).toThrow(StartError);
    expect(() => openSigningKey(null)).toThrow('LACUNA_SIGNING_KEY_FILE');
  });
});
