/** The Ed25519 key of the receipts: read from its file, made there at the first start. */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generateSigningKey, loadSigningKey, type SigningKey, signingKeyPem } from '@lacuna/receipts';
import { StartError } from '@lacuna/runtime';

export const SIGNING_KEY = Symbol('verdict:signing-key');

/**
 * Several processes may start at once: the file appears whole, once, and all read the same key. Its public half is written beside it as
 * `<file>.pub`.
 * @throws StartError when no file is configured; InputRefusedError when it holds no Ed25519 key.
 */
export function openSigningKey(file: string | null): SigningKey {
  if (file === null) throw new StartError('LACUNA_SIGNING_KEY_FILE is not set: name a file, which is made when it is missing');
  const key = readKey(file) ?? makeKey(file);
  writePublicKey(`${file}.pub`, key.publicKeyPem);
  return key;
}

/** A key that was mounted may stand where nothing can be written: then its public half is kept by whoever mounted it. */
function writePublicKey(file: string, pem: string): void {
  try {
    writeFileSync(file, pem, { mode: 0o644 });
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
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
