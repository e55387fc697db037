/** One value written in two of the ways in which people and systems write it: a record of it is a match, or held for; never another one. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { anAsked } from '../test/builders.js';
import { compareRow } from './compare-row.js';
import { isReadable } from './normalise.js';
import type { Normaliser } from './register.js';

/** Properties are slow on a busy machine; their bound is the number of runs. */
vi.setConfig({ testTimeout: 120_000 });

type Spelling = (value: string) => string;

const outcomeFor = (normalise: readonly Normaliser[], asked: string, found: string): string => {
  const row = { recordId: '1', version: null, status: null, followedTo: null, values: { key: found } };
  return compareRow({ key: { kind: 'key', normalise } }, [anAsked('key', asked)], row, []).outcome;
};

/** A question in a spelling that cannot be read is refused. */
const holdsTogether = (normalise: readonly Normaliser[], value: fc.Arbitrary<string>, spellings: readonly Spelling[]): void => {
  const spelling = fc.constantFrom(...spellings);
  fc.assert(
    fc.property(value, spelling, spelling, (each, one, other) => {
      fc.pre(isReadable(normalise, one(each)));
      expect([one(each), other(each), outcomeFor(normalise, one(each), other(each)) !== 'other']).toEqual([one(each), other(each), true]);
    }),
    { numRuns: 1_000 },
  );
};

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...'23456789'),
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: minLength - 1, maxLength: maxLength - 1 }),
    )
    .map((parts) => parts.join(''));
const inPairs: Spelling = (value) => value.replace(/(..)(?=.)/g, '$1 ');
const wide: Spelling = (value) => value.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

// Each fails if a record that is there, in another spelling, is called absent.
describe('one value in two spellings', () => {
  it.each([
    ['49', '0', '00', digits(7, 11)],
    ['1', '1', '011', digits(10, 10)],
    ['39', '', '00', digits(8, 10).map((national) => `0${national}`)],
    ['34', '', '00', digits(9, 9)],
    ['36', '06', '00', digits(8, 9)],
    ['7', '8', '810', digits(10, 10)],
    ['55', '0', '00', digits(10, 11)],
    ['91', '0', '00', digits(10, 10)],
  ])('is one telephone number: country code %s', (countryCode, trunk, international, national) => {
    const code = { phone: { countryCode } };
    holdsTogether([code], national, [
      (value) => `${trunk}${value}`,
      (value) => `(${trunk}${value.slice(0, 3)}) ${inPairs(value.slice(3))}`,
      (value) => `+${countryCode} ${inPairs(value)}`,
      (value) => `${international}${countryCode}${value}`,
      (value) => `+${countryCode} (0) ${value}`,
      (value) => `+${countryCode} ${trunk}${value}`,
      (value) => `${countryCode}${value}`,
      (value) => value,
      (value) => wide(`+${countryCode}${value}`),
      (value) => `Tel. ${trunk}${value}`,
      (value) => `tel:+${countryCode}-${value}`,
      (value) => `${trunk}${value} ext. 12`,
      (value) => `${trunk}${value} / ${trunk}5550100`,
      (value) => value.slice(-4).padStart(value.length, '*'),
      (value) => `\u202a+${countryCode}\u00a0${value}\u202c`,
    ]);
  });

  it('is one number', () => {
    const grouped =
      (mark: string): Spelling =>
      (value) => {
        const [whole = '', fraction] = value.split('.');
        return whole.replace(/\B(?=(\d{3})+$)/g, mark) + (fraction === undefined ? '' : `${mark === '.' ? ',' : '.'}${fraction}`);
      };
    const number = fc
      .tuple(fc.nat({ max: 1e9 }), fc.option(fc.nat({ max: 999 })))
      .map(([whole, part]) => (part === null ? `${whole}` : `${whole}.${part}`));
    holdsTogether(['number'], number, [
      (value) => value,
      (value) => `000${value}`,
      (value) => `+${value}`,
      (value) => (value.includes('.') ? `${value}00` : `${value}.00`),
      (value) => Number(value).toExponential(),
      ...[',', '.', ' ', "'", '\u00a0', '\u202f'].map(grouped),
      (value) => value.replace('.', ','),
      wide,
      (value) => `${value} EUR`,
      (value) => `No. ${value}`,
    ]);
  });

  it('is one date', () => {
    const part = (date: string): readonly [string, string, string] => date.split('-') as [string, string, string];
    const date = fc
      .date({ min: new Date('1600-01-02T00:00:00.000Z'), max: new Date('9000-01-01T00:00:00.000Z'), noInvalidDate: true })
      .map((moment) => moment.toISOString().slice(0, 10));
    const on = (value: string): number => Date.parse(`${value}T03:00:00.000Z`);
    const in9Hours = (value: string): Date => new Date(on(value));
    holdsTogether([{ date: { zone: 'Asia/Tokyo' } }], date, [
      (value) => value,
      (value) => `${value}T12:00:00`,
      (value) => `${value} 23:59`,
      (value) => in9Hours(value).toISOString(),
      (value) => in9Hours(value).toUTCString(),
      (value) => String(on(value)),
      (value) => part(value).toReversed().join('.'),
      (value) => part(value).join(''),
      (value) => part(value).join('/'),
      (value) => part(value).map(Number).join('-'),
      (value) => `${Number(part(value)[1])}/${Number(part(value)[2])}/${part(value)[0].slice(2)}`,
      (value) => in9Hours(value).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'Asia/Tokyo' }),
      (value) => in9Hours(value).toLocaleDateString('ja-JP-u-ca-japanese', { dateStyle: 'long', timeZone: 'Asia/Tokyo' }),
      (value) => in9Hours(value).toLocaleDateString('ar-SA', { dateStyle: 'short', timeZone: 'Asia/Tokyo' }),
      wide,
    ]);
  });

  it('is one e-mail address', () => {
    const address = fc
      .tuple(
        fc.stringMatching(/^[a-z][a-z0-9.]{1,8}$/),
        fc.constantFrom('example.org', 'münchen.example', 'straße.example', 'пример.example', '例え.example'),
      )
      .map((parts) => parts.join('@'));
    holdsTogether(['email'], address, [
      (value) => value,
      (value) => value.toUpperCase().replace('STRASSE', 'straße'),
      (value) => ` ${value}.`,
      (value) => `Ann Lee <${value}>`,
      (value) => `mailto:${value}`,
      (value) => `<${value}>`,
      (value) => `"${value.replace('@', '"@')}`,
      (value) => `bob@example.org; ${value}`,
      (value) => value.replace('@', ' at '),
      (value) => value.replace('@', '＠'),
      (value) => value.replaceAll('.', '.\u200b'),
      (value) => value.normalize('NFD'),
      (value) => `${value} (work)`,
      (value) => value.replace(/@(.*)$/, (_all, domain: string) => `@${new URL(`http://${domain}`).hostname}`),
    ]);
  });
});
