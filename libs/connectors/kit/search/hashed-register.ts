/** A register document under the hash by which evidence and receipts name it. */
import type { Register } from '@lacuna/evidence';
import type { RegisterDocument } from '../register/register-document.js';
import { sha256Hex } from '../sha256.js';

export type HashedRegister = Register & RegisterDocument;

/** SHA-256 of the canonical JSON (RFC 8785): what every other part of Lacuna takes it of. */
export const hashedRegister = (document: RegisterDocument): HashedRegister => ({ ...document, hash: sha256Hex(canonicalText(document)) });

/** Of plain JSON. Numbers and texts as JSON.stringify writes them, which is what RFC 8785 asks for; members by UTF-16 order. */
export const canonicalText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`;
};
