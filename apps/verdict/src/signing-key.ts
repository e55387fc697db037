/** The Ed25519 key of the receipts: read from its file, made there at the first start. */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generateSigningKey, loadSigningKey, type SigningKey, signingKeyPem } from '@lacuna/receipts';

export const SIGNING_KEY = Symbol('verdict:signing-key');

/**
 * Several processes may start at once: the file appears whole, once, and all read the same key. Its public half is written beside it as
 * `<file>.pub`.
 * @throws when no file is configured, or it holds no Ed25519 key.
 */
export function openSigningKey(file: string | null): SigningKey {
  if (file === null) throw new Error('LACUNA_SIGNING_KEY_FILE is not set: name a file, which is made when it is missing');
  const key = readKey(file) ?? makeKey(file);
  writeFileSync(`${file}.pub`, key.publicKeyPem, { mode: 0o644 });
  return key;
}

function readKey(file: string): SigningKey | null {
  try {
    return loadSigningKey(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function makeKey(file: string): SigningKey {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, signingKeyPem(generateSigningKey()), { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return loadSigningKey(readFileSync(file, 'utf8'));
}
