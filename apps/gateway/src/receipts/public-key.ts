import { keyidOf } from '@lacuna/receipts';
import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { noPublicKey } from '../http/problems.js';
import type { PublicKeyView } from './receipt.dto.js';

/** The public key of the receipts, from the PEM file that the configuration names. @throws the 404 problem when it names none. */
export async function readPublicKey(file: string | null): Promise<PublicKeyView> {
  if (!file) throw noPublicKey();
  const pem = await readFile(file, 'utf8').catch(() => {
    throw noPublicKey();
  });
  const key = createPublicKey(pem);
  return { keyid: keyidOf(key), publicKeyPem: key.export({ type: 'spki', format: 'pem' }).toString() };
}
