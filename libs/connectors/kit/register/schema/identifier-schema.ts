import type { PlainNormaliser } from '@lacuna/evidence';
import { IDENTIFIER_NAME, NAME, flag, list, mapOf, object, oneOf, text, type Schema } from './field.js';

const PLAIN: readonly PlainNormaliser[] = [
  'nfkc',
  'case-fold',
  'trim',
  'strip-separators',
  'digits-only',
  'strip-leading-zeros',
  'number',
  'email',
  'email-base',
  'confusables',
];

const withParameter = {
  phone: object(
    {
      countryCode: text('Country code of numbers that are written without one.', '49', { pattern: '^[1-9][0-9]{0,2}$' }),
    },
    'Telephone numbers as E.164.',
  ),
  date: object(
    {
      zone: text('IANA time zone in which a moment becomes a date.', 'Asia/Tokyo', {
        pattern: '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$',
        maxLength: 64,
      }),
    },
    'Dates in a zone.',
  ),
};

/** A name, or the name with its parameters. Not `anyOf`, which would not say what is wrong in the branch that was meant. */
const normaliser: Schema = {
  type: ['string', 'object'],
  if: { type: 'string' },
  then: { enum: PLAIN },
  else: {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: withParameter,
  },
};

/** docs/reference/matching.md says what each does. */
export const normalisers = (description: string, more: Schema = {}): Schema =>
  list(normaliser, description, ['nfkc', 'trim', 'case-fold'], { uniqueItems: true, maxItems: 8, ...more });

const identifier = object(
  {
    kind: oneOf(
      ['key', 'scope', 'hint'],
      'key: all keys must agree for a match. scope: narrows the search, its agreement alone says nothing. hint: orders candidates, never decides.',
    ),
    normalise: normalisers('Applied in this order to both sides before they are compared; an empty list compares the text as it is.'),
    near: normalisers('Applied in this order to the normal form: rows that agree only in what comes of it are candidates for a person.', {
      minItems: 1,
    }),
    format: text('Regular expression (JavaScript, u flag, anchored at both ends) that a question must satisfy.', 'ACC-[0-9]{6}', {
      maxLength: 200,
    }),
    whenMissing: object(
      {
        result: oneOf(['differs'], 'A row without this key counts as another record instead of as ambiguous.'),
        owner: text('Who answers for that.', 'intake@example.org'),
        reason: text('Why. It stands on every receipt.', 'Rows before 2019 have no instance and are all closed.'),
      },
      'What a row without this key is.',
    ),
    lookup: text('Source of role lookup that has to confirm that the account or instance exists.', 'accounts', {
      pattern: NAME,
      maxLength: 63,
    }),
    personal: flag('Receipts carry a salted hash of the value instead of the value.', false),
    optional: flag('A question may leave it out; never a key.', false),
  },
  'One identifier.',
  ['near', 'format', 'whenMissing', 'lookup', 'personal', 'optional'],
);

export const identifiersSchema: Schema = mapOf(
  IDENTIFIER_NAME,
  identifier,
  'What a question gives to be searched for, by name. At least one key.',
  { reference: { kind: 'key', normalise: ['nfkc', 'trim', 'case-fold', 'strip-separators'] } },
  { minProperties: 1, maxProperties: 32 },
);
