/**
 * Whether an identifier's `format` can be tested in bounded time. JavaScript's engine backtracks, so a format is refused where the number
 * of ways in which it can split a value is not bounded by a small number: a repeated group that can itself match in several ways, or too
 * many variable repetitions beside one another. Values are at most 512 units long (checkIdentifiers).
 */
const FORMAT_UNITS_MAX = 200;
const VALUE_UNITS_MAX = 512;
/** Two unbounded repetitions in a row, and two optional parts. */
const WAYS_MAX = VALUE_UNITS_MAX * VALUE_UNITS_MAX * 4;

interface Reader {
  readonly pattern: string;
  at: number;
}

/** Why the format is refused; null when it is fine. */
export const formatProblem = (format: string): string | null => {
  if (format.length > FORMAT_UNITS_MAX) return `longer than ${FORMAT_UNITS_MAX} characters`;
  try {
    new RegExp(`^(?:${format})$`, 'u');
    new RegExp(format, 'u');
  } catch {
    return 'not a valid regular expression (JavaScript, u flag)';
  }
  if (/\\[1-9]|\\k</.test(format)) return 'has a back-reference';
  const ways = alternatives({ pattern: format, at: 0 });
  if (ways === null) return 'repeats a group that can match in more than one way, which can take exponential time';
  return ways > WAYS_MAX ? 'has too many variable repetitions, which can take very long' : null;
};

/** Ways of `a|b|c` up to a closing parenthesis or the end; null: a repetition of something that has several. */
const alternatives = (reader: Reader): number | null => {
  let sum = 0;
  let product = 1;
  while (reader.at < reader.pattern.length && reader.pattern[reader.at] !== ')') {
    if (reader.pattern[reader.at] === '|') {
      reader.at += 1;
      sum += product;
      product = 1;
      continue;
    }
    const ways = repeated(reader);
    if (ways === null) return null;
    product = Math.min(product * ways, Number.MAX_SAFE_INTEGER);
  }
  return sum + product;
};

const repeated = (reader: Reader): number | null => {
  const inner = atom(reader);
  if (inner === null) return null;
  const [least, most] = quantifier(reader);
  if (most > 1 && inner > 1) return null;
  return inner * (most - least + 1);
};

const atom = (reader: Reader): number | null => {
  const { pattern } = reader;
  const first = pattern[reader.at];
  if (first === '(') {
    reader.at += /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/u.exec(pattern.slice(reader.at))?.[0].length ?? 1;
    const ways = alternatives(reader);
    reader.at += 1;
    return ways;
  }
  const length = first === '\\' ? /^\\(?:[pPu]\{[^}]*\}|[\s\S])/u.exec(pattern.slice(reader.at))?.[0].length : undefined;
  reader.at += first === '[' ? classLength(pattern.slice(reader.at)) : (length ?? 1);
  return 1;
};

const classLength = (rest: string): number => /^\[(?:[^\]\\]|\\[\s\S])*\]/u.exec(rest)?.[0].length ?? 1;

const quantifier = (reader: Reader): readonly [number, number] => {
  const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/u.exec(reader.pattern.slice(reader.at));
  if (!found) return [1, 1];
  reader.at += found[0].length;
  const sign = found[0][0];
  if (sign === '?') return [0, 1];
  if (sign !== '{') return [sign === '+' ? 1 : 0, VALUE_UNITS_MAX];
  const least = Number(found[1]);
  return [least, found[3] ? Number(found[3]) : found[2] ? Math.max(VALUE_UNITS_MAX, least) : least];
};
