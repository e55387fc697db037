/**
 * A skeleton that look-alikes share: Latin, Greek and Cyrillic letters, digits, dashes. After UTS 39, with two differences: the text is
 * folded in case first, so that a letter stands for what its capital looks like, and it is a short table for codes and names, not the whole
 * of Unicode. For candidates only: it makes different values equal.
 */
import { withAsciiDigits } from './digits.js';
import { foldCase } from './fold-case.js';
import { withoutInvisible } from './invisible.js';

/** Each Latin letter, and what looks like it in small or as a capital. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'ɑαа',
  b: 'ƅβвь',
  c: 'ᴄс',
  d: 'ԁ',
  e: 'εеє',
  g: 'ɡ',
  h: 'ηһн',
  j: 'ȷϳј',
  k: 'κк',
  l: '1i|ɩɪǀ∣ιіӏ',
  m: 'μм',
  n: 'νп',
  o: '0ᴏοо',
  p: 'ρр',
  q: 'ԛ',
  r: 'г',
  s: 'ѕꜱ',
  t: 'τт',
  u: 'ʋ',
  v: 'ᴠѵ',
  w: 'ᴡԝ',
  x: 'χх',
  y: 'γυуү',
  z: 'ζᴢ',
  '3': 'зӡ',
};

const SKELETON: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
);
const DASHES = /\p{Dash}/gu;

export const skeleton = (value: string): string => {
  const folded = foldCase(withoutInvisible(value).normalize('NFKC')).normalize('NFKC').normalize('NFD');
  const plain = withAsciiDigits(folded).replace(DASHES, '-');
  return Array.from(plain, (character) => SKELETON.get(character) ?? character)
    .join('')
    .normalize('NFC');
};
