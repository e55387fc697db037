/** What docs/reference/matching.md says of each normaliser and comparison; matching-reference.spec.ts runs all of it. */
import type { Comparison, IdentifierRule, Normaliser } from '@lacuna/evidence';

export interface NormaliserText {
  readonly normaliser: Normaliser;
  /** As it stands in a register file. */
  readonly written: string;
  readonly does: string;
  /** Values with their forms; null: not read. */
  readonly forms: readonly (readonly [value: string, form: string | null])[];
}

export const NORMALISERS: readonly NormaliserText[] = [
  {
    normaliser: 'nfkc',
    written: 'nfkc',
    does: 'Unicode NFKC, and all that cannot be seen is taken out: joiners, marks of direction, soft hyphens, variation selectors.',
    forms: [
      ['ＩＮＶ１', 'INV1'],
      ['e\u0301', 'é'],
      ['IN\u200bV', 'INV'],
    ],
  },
  {
    normaliser: 'case-fold',
    written: 'case-fold',
    does: 'Upper and lower case are one, in every script.',
    forms: [
      ['INV-1', 'inv-1'],
      ['Straße', 'strasse'],
      ['ΟΔΟΣ', 'οδοσ'],
    ],
  },
  {
    normaliser: 'trim',
    written: 'trim',
    does: 'White space, and what cannot be seen, at both ends.',
    forms: [['\u00a0 A 1\t', 'A 1']],
  },
  {
    normaliser: 'strip-separators',
    written: 'strip-separators',
    does: 'White space, dashes, dots, slashes and underscores everywhere. Not the backslash, comma or colon.',
    forms: [
      ['INV-2026/00.1_2 3', 'INV202600123'],
      ['A–B', 'AB'],
    ],
  },
  {
    normaliser: 'digits-only',
    written: 'digits-only',
    does: 'The decimal digits, of any script, as 0 to 9; nothing else is left.',
    forms: [
      ['INV 2026/7', '20267'],
      ['٤٢', '42'],
      ['10²', '10'],
    ],
  },
  {
    normaliser: 'strip-leading-zeros',
    written: 'strip-leading-zeros',
    does: 'Zeros at the beginning of each run of digits; a run of nothing but zeros keeps one. Best in `near`: FAIR-0007 and FAIR-00007 may be two invoices.',
    forms: [
      ['FAIR-00007', 'FAIR-7'],
      ['000', '0'],
      ['1.050', '1.50'],
    ],
  },
  {
    normaliser: 'number',
    written: 'number',
    does: 'A decimal number, exactly, however large. Grouping marks and a decimal comma are not read, nor a point that may be one: 1,000 and 1.000 are a thousand to one reader and one to another.',
    forms: [
      ['007.50', '7.5'],
      ['1.2e3', '1200'],
      ['-0', '0'],
      ['1,000', null],
      ['1.000', null],
      ['12 pcs', null],
    ],
  },
  {
    normaliser: 'email',
    written: 'email',
    does: 'One bare e-mail address. Case means nothing; the domain is compared as the domain name system does (Punycode). What stands beside an address is not read, nor a domain of letters that systems map differently (Cherokee, iota subscript, lunate sigma, capital sharp s).',
    forms: [
      [' Ann.Lee@Example.ORG ', 'ann.lee@example.org'],
      ['ann@münchen.example', 'ann@xn--mnchen-3ya.example'],
      ['Ann <ann@example.org>', null],
      ['ann@Ꭰ.example', null],
    ],
  },
  {
    normaliser: 'email-base',
    written: 'email-base',
    does: 'Only in `near`. An address without what follows a plus, and without dots where the provider documents that they mean nothing.',
    forms: [
      ['ann+news@example.org', 'ann@example.org'],
      ['a.n.n@googlemail.com', 'ann@gmail.com'],
    ],
  },
  {
    normaliser: 'confusables',
    written: 'confusables',
    does: 'Only in `near`. One skeleton for what looks alike: Latin, Greek and Cyrillic letters, 0 and o, 1, l and I, all dashes; case is folded.',
    forms: [
      ['I0l', 'lol'],
      ['РОСА', 'poca'],
      ['A–1', 'a-l'],
    ],
  },
  {
    normaliser: { phone: { countryCode: '49' } },
    written: "phone: { countryCode: '49' }",
    does: 'A telephone number as plus, country code and national number. `countryCode` is that of numbers written without one. What can be read in two ways is not read.',
    forms: [
      ['(030) 12 34-56', '+4930123456'],
      ['+49 (0)30 123456', '+4930123456'],
      ['0049 30 123456', '+4930123456'],
      ['+44 020 7946 0958', '+442079460958'],
      ['4930123456', null],
      ['030 123456 ext. 5', null],
    ],
  },
  {
    normaliser: { date: { zone: 'Asia/Tokyo' } },
    written: 'date: { zone: Asia/Tokyo }',
    does: 'The date in a zone (IANA), of an ISO date or an ISO moment; a moment without offset is in the zone already. Other orders and names of months are not read, nor dates before 1583, which are one day in the calendar of their time and another in today’s.',
    forms: [
      ['2026-01-31', '2026-01-31'],
      ['2026-01-31T23:30:00Z', '2026-02-01'],
      ['2026-01-31T23:30:00', '2026-01-31'],
      ['31.01.2026', null],
      ['1452-04-15', null],
    ],
  },
];

export interface ComparisonText {
  readonly result: Comparison;
  readonly means: string;
  readonly rule: IdentifierRule;
  readonly asked: string;
  /** Undefined: the path is absent from the record. */
  readonly found: string | null | undefined;
}

const reference: IdentifierRule = { kind: 'key', normalise: ['trim', 'case-fold'], near: ['strip-separators', 'strip-leading-zeros'] };
const order: IdentifierRule = { kind: 'key', normalise: ['number'] };

export const COMPARISONS: readonly ComparisonText[] = [
  { result: 'agree', means: 'The normal forms are equal.', rule: reference, asked: 'INV-007', found: ' inv-007' },
  { result: 'near', means: 'They are equal only once `near` has been applied to them.', rule: reference, asked: 'INV-007', found: 'INV 7' },
  {
    result: 'near',
    means: 'Only what cannot be seen differs, whatever the register says.',
    rule: { kind: 'key', normalise: [] },
    asked: 'INV-007',
    found: 'INV-\u200b007',
  },
  {
    result: 'near',
    means: 'The record’s value cannot be read, and may be what was asked.',
    rule: order,
    asked: '1000',
    found: '1,000',
  },
  { result: 'differ', means: 'The normal forms differ.', rule: reference, asked: 'INV-007', found: 'INV-008' },
  { result: 'missing', means: 'Null, or empty in normal form.', rule: reference, asked: 'INV-007', found: null },
  {
    result: 'missing',
    means: 'The record’s value cannot be read, and in no reading is it what was asked.',
    rule: order,
    asked: '1000',
    found: 'see notes',
  },
  {
    result: 'unavailable',
    means: 'The path is absent from the record and not among `optionalFields`: `field-unavailable`.',
    rule: reference,
    asked: 'INV-007',
    found: undefined,
  },
];

export const REGISTER_EXAMPLE = `identifiers:
  account: { kind: scope, normalise: [trim] }
  reference: { kind: key, normalise: [nfkc, trim, case-fold], near: [strip-separators, strip-leading-zeros, confusables] }
  email: { kind: hint, normalise: [email], near: [email-base], optional: true }
  phone: { kind: hint, normalise: [{ phone: { countryCode: '49' } }], optional: true }
  ordered: { kind: hint, normalise: [{ date: { zone: Europe/Berlin } }], optional: true }
`;

export interface StatusText {
  readonly record: string;
  readonly status: string | null;
  /** Where a merged record leads: that record's status, or null when it cannot be read. */
  readonly mergedInto?: { readonly status: string } | null;
  readonly verdict: 'match-review' | 'scoped-no-match' | 'evidence-hold';
  readonly why: string;
}

export const STATUS_RULES = { reusable: ['cancelled'], follow: ['merged'] } as const;

export const STATUSES: readonly StatusText[] = [
  { record: 'open', status: 'open', verdict: 'match-review', why: 'every status that is not listed blocks' },
  { record: 'reopened after it was cancelled', status: 'reopened', verdict: 'match-review', why: 'not listed' },
  { record: 'without a status', status: null, verdict: 'match-review', why: 'none is not listed' },
  { record: 'written `Cancelled`', status: 'Cancelled', verdict: 'match-review', why: 'statuses are compared as they are' },
  { record: 'cancelled', status: 'cancelled', verdict: 'scoped-no-match', why: 'reusable: no match, and listed on the receipt' },
  {
    record: 'merged into an open one',
    status: 'merged',
    mergedInto: { status: 'open' },
    verdict: 'match-review',
    why: 'that record counts',
  },
  {
    record: 'merged into a cancelled one',
    status: 'merged',
    mergedInto: { status: 'cancelled' },
    verdict: 'scoped-no-match',
    why: 'that record counts',
  },
  {
    record: 'merged into one that cannot be read',
    status: 'merged',
    mergedInto: null,
    verdict: 'evidence-hold',
    why: '`merge-unreadable`, as for a circle',
  },
];
