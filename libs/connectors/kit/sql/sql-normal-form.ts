/**
 * Normal forms in PostgreSQL. A form is computed in SQL only for regular values: printable ASCII whose form is not empty. Every other row is
 * irregular, is read whole, and is compared by the core. So the expressions need to agree with the core's normalisers on printable ASCII
 * alone, which `normalFormDifferences` checks against the server, character by character.
 */
import { isReadable, normalForm, normaliserName, type Normaliser, type NormaliserName } from '@lacuna/evidence';

const without = (value: string, pattern: string): string => `regexp_replace(${value} collate "C", '${pattern}', '', 'g')`;

/**
 * NFKC changes no ASCII character; `lower` under "C" folds A to Z alone, whatever the database's own collation says. What reads a value
 * (`number`, `phone`, `date`) has no form in SQL, nor has `email-base`.
 */
const SQL_OF: Readonly<Partial<Record<NormaliserName, (value: string) => string>>> = {
  nfkc: (value) => value,
  'case-fold': (value) => `lower(${value} collate "C")`,
  trim: (value) => `btrim(${value})`,
  'strip-separators': (value) => `translate(${value}, ' -./_', '')`,
  'digits-only': (value) => without(value, '[^0-9]'),
  'strip-leading-zeros': (value) => without(value, '(?<![0-9])0+(?=[0-9])'),
  email: (value) => `regexp_replace(lower(btrim(${value}) collate "C"), '[.]$', '')`,
  confusables: (value) => `translate(lower(${value} collate "C"), 'i01|', 'loll')`,
};

const ADDRESS_PART = String.raw`[^][ @<>():;,"\\]+`;
const LABEL = String.raw`[^][ @<>():;,"\\.]+`;
/** What the server can tell of a form: that it stands for a value. Any other is irregular. */
const READABLE_OF: Readonly<Partial<Record<NormaliserName, string>>> = { email: `^${ADDRESS_PART}@${LABEL}([.]${LABEL})*$` };

export const hasSqlForm = (normalisers: readonly Normaliser[]): boolean =>
  normalisers.every((normaliser) => SQL_OF[normaliserName(normaliser)] !== undefined);

export const normalFormSql = (normalisers: readonly Normaliser[], value: string): string =>
  normalisers.reduce((sql, normaliser) => {
    const formOf = SQL_OF[normaliserName(normaliser)];
    if (formOf === undefined) throw new Error(`${normaliserName(normaliser)} has no form in SQL`);
    return formOf(sql);
  }, `${value}::text`);

/** Each normaliser's form that has to be one of its values. */
const readableSql = (normalisers: readonly Normaliser[], value: string): readonly string[] =>
  normalisers.flatMap((normaliser, at) => {
    const pattern = READABLE_OF[normaliserName(normaliser)];
    return pattern === undefined ? [] : [`${normalFormSql(normalisers.slice(0, at + 1), value)} ~ '${pattern}'`];
  });

/** Never null: a null or empty value, one that is not read, and any character outside printable ASCII, is irregular. */
export const regularSql = (normalisers: readonly Normaliser[], value: string): string =>
  `(${[`(${value}::text collate "C") ~ '^[ -~]+$'`, ...readableSql(normalisers, value), `${normalFormSql(normalisers, value)} <> ''`].join(' and ')})`;

/** Values that a source may hold: every ASCII character but NUL in first, middle and last place, alone, and spellings met in the field. */
export const probeValues = (): readonly string[] => {
  const characters = Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1));
  const placed = characters.flatMap((character) => [character, `${character}Ab9`, `Ab${character}9`, `Ab9${character}`]);
  return [
    ...placed,
    'INV-2024-00123',
    ' inv 2024 / 00123 ',
    '000',
    'A000',
    '0A00B0102-007.00',
    'I1l|O0o',
    ' A.B+c@Example.ORG. ',
    'a@b@c',
    'a@b..c',
    '@b.c',
    'a@',
    'A B <a@b.c>',
    ...characters.flatMap((character) => [`a${character}b@c.d`, `a@b${character}c`, `a@b.c${character}`]),
    'Inv_2024.00123',
    '--',
    '\u00a0',
    'ＩＮＶ１２３',
    'K\u00f6ln',
    'a\u00adb',
    '\u212a1',
    '',
  ];
};

/** One statement: `$1` the values as text[]; answers (value, regular, form) in the same order. */
export const probeSql = (names: readonly Normaliser[]): string =>
  `select v as value, ${regularSql(names, 'v')} as regular, ${normalFormSql(names, 'v')} as form ` +
  `from unnest($1::text[]) with ordinality as probe(v, place) order by place`;

export interface Probe {
  readonly value: string;
  readonly regular: boolean;
  readonly form: string;
}

const PRINTABLE = /^[ -~]+$/;

/** Values that the server calls regular but reads otherwise than the core, or calls irregular although the core could have relied on it. */
export const normalFormDifferences = (names: readonly Normaliser[], probes: readonly Probe[]): readonly string[] =>
  probes
    .filter(({ value, regular, form }) => {
      const ours = normalForm(names, value);
      const isRegular = PRINTABLE.test(value) && ours !== '' && isReadable(names, value);
      return regular ? form !== ours || !isRegular : isRegular;
    })
    .map(({ value }) => value);
