import { createHmac } from 'node:crypto';
import { isUnicode } from './canonical-json.js';
import { InputRefusedError } from './input-refused-error.js';

const saltBytesMin = 16;

/**
 * What a receipt holds in place of a personal value: HMAC-SHA-256 (RFC 2104) of the value's UTF-8 bytes under the question's salt, 64 hex
 * digits. Without the salt, which is kept apart and can be destroyed, the value cannot be found by trying.
 *
 * @param salt at least 16 random bytes, one salt per question
 * @throws InputRefusedError `salt-too-short`, `text-not-unicode`
 */
export function saltedHash(salt: Uint8Array, value: string): string {
  if (salt.byteLength < saltBytesMin) throw new InputRefusedError('salt-too-short', `a salt has at least ${saltBytesMin} bytes`);
  if (!isUnicode(value)) throw new InputRefusedError('text-not-unicode', 'the value has a lone surrogate');
  return createHmac('sha256', salt).update(value, 'utf8').digest('hex');
}
