/** Characters that cannot be seen: zero-width, bidi controls, joiners, fillers, variation selectors, tags, the soft hyphen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
const SPACE = 0x20;
const LAST_ASCII = 0x7f;
/** White space and all that cannot be seen. */
export const BLANK = String.raw`\p{White_Space}\p{Default_Ignorable_Code_Point}`;
const BLANK_CHARACTER = new RegExp(`^[${BLANK}]$`, 'u');

/** Nothing in it is invisible. Most values are ASCII, and every one of every row comes here. */
export const isAscii = (value: string): boolean => {
  for (let at = 0; at < value.length; at += 1) if (value.charCodeAt(at) > LAST_ASCII) return false;
  return true;
};

export const withoutInvisible = (value: string): string => (isAscii(value) ? value : value.replace(INVISIBLE, ''));

const unitsOf = (code: number): number => (code > 0xffff ? 2 : 1);

/** By index and not by one expression, which would take quadratic time on a long run of spaces. */
export const trim = (value: string): string => {
  const isBlank = (code: number | undefined): code is number =>
    code !== undefined && (code <= SPACE || code > LAST_ASCII) && BLANK_CHARACTER.test(String.fromCodePoint(code));
  let start = 0;
  for (let code = value.codePointAt(0); isBlank(code); code = value.codePointAt(start)) start += unitsOf(code);
  let end = value.length;
  for (let code = codeBefore(value, end); end > start && isBlank(code); code = codeBefore(value, end)) end -= unitsOf(code);
  return value.slice(start, end);
};

const codeBefore = (value: string, end: number): number | undefined => {
  const pair = value.codePointAt(end - 2);
  return pair !== undefined && pair > 0xffff ? pair : value.codePointAt(end - 1);
};
