import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { InputRefusedError } from './input-refused-error.js';

/** What JSON can carry; integers beyond 2^53 - 1 are strings. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Bounds the recursion; a cycle runs into it too. */
const depthMax = 64;

/**
 * The canonical UTF-8 bytes of a JSON value (RFC 8785), of an I-JSON value to be exact (RFC 7493, sections 2.1 and 2.2).
 *
 * @throws InputRefusedError for undefined (also as a member or element), non-finite numbers, integers beyond 2^53 - 1 and bigints
 *   (carry them as strings), lone surrogates, anything that is not a plain object or array, and more than 64 levels.
 */
export function canonicalJson(value: unknown): Buffer {
  assertJson(value, '$', 0);
  return Buffer.from(canonicalize(value) as string, 'utf8');
}

/** SHA-256 as 64 lower-case hex digits; text is hashed as UTF-8. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** True when the text has no lone surrogate, so that its UTF-8 bytes stand for it and for nothing else (RFC 7493, section 2.1). */
export function isUnicode(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The value that canonical bytes say, or why they are not canonical: the comparison of bytes also finds duplicate names and a BOM. */
export function parseCanonicalJson(bytes: Uint8Array): { ok: true; value: JsonValue } | { ok: false; why: 'not-json' | 'not-canonical' } {
  let value: JsonValue;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8')) as JsonValue;
  } catch {
    return { ok: false, why: 'not-json' };
  }
  try {
    return canonicalJson(value).equals(bytes) ? { ok: true, value } : { ok: false, why: 'not-canonical' };
  } catch (error) {
    if (error instanceof InputRefusedError) return { ok: false, why: 'not-canonical' };
    throw error;
  }
}

function assertJson(value: unknown, at: string, depth: number): void {
  if (depth > depthMax) throw new InputRefusedError('value-too-deep', `${at.slice(0, 80)} is deeper than ${depthMax} levels, or a cycle`);
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') return assertText(value, at);
  if (typeof value === 'number' || typeof value === 'bigint') return assertNumber(value, at);
  if (value === undefined) throw new InputRefusedError('value-undefined', `${at} is undefined; leave the member out, or use null`);
  if (Array.isArray(value)) return assertElements(value, at, depth);
  if (isPlainObject(value)) return assertMembers(value, at, depth);
  throw new InputRefusedError('value-not-json', `${at} is neither a JSON scalar nor a plain object or array`);
}

function assertText(text: string, at: string): void {
  if (!isUnicode(text)) throw new InputRefusedError('text-not-unicode', `${at} has a lone surrogate`);
}

function assertNumber(value: number | bigint, at: string): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new InputRefusedError('number-not-finite', `${at} is not a finite number`);
  if (typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw new InputRefusedError('integer-not-safe', `${at} is a bigint or beyond 2^53 - 1; carry it as a string`);
  }
}

/** By index and not by forEach, which would step over the holes of a sparse array. */
function assertElements(elements: readonly unknown[], at: string, depth: number): void {
  for (let index = 0; index < elements.length; index += 1) assertJson(elements[index], `${at}[${index}]`, depth + 1);
}

function assertMembers(members: Record<string, unknown>, at: string, depth: number): void {
  for (const [name, member] of Object.entries(members)) {
    assertText(name, `a member name of ${at}`);
    assertJson(member, `${at}.${name}`, depth + 1);
  }
}

/** A Date, Map or Buffer would otherwise be signed as something that the caller did not write. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
