import { IDENTIFIER_NAME, flag, list, mapOf, object, oneOf, text, type Schema } from './field.js';

export const NORMALISERS = ['nfkc', 'case-fold', 'trim', 'strip-separators'] as const;

const normalisers = (description: string, more: Schema = {}): Schema =>
  list({ enum: NORMALISERS }, description, ['nfkc', 'trim', 'case-fold'], { uniqueItems: true, maxItems: 4, ...more });

const identifier = object(
  {
    kind: oneOf(
      ['key', 'scope', 'hint'],
      'key: all keys must agree for a match. scope: narrows the search, its agreement alone says nothing. hint: orders candidates, never decides.',
    ),
    normalise: normalisers('Applied in this order to both sides before they are compared; an empty list compares the text as it is.'),
    near: normalisers('A lossier form: rows that agree only in it are candidates for a person.', { minItems: 1 }),
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
    personal: flag('Receipts carry a salted hash of the value instead of the value.', false),
    optional: flag('A question may leave it out; never a key.', false),
  },
  'One identifier.',
  ['near', 'format', 'whenMissing', 'personal', 'optional'],
);

export const identifiersSchema: Schema = mapOf(
  IDENTIFIER_NAME,
  identifier,
  'What a question gives to be searched for, by name. At least one key.',
  { reference: { kind: 'key', normalise: ['nfkc', 'trim', 'case-fold', 'strip-separators'] } },
  { minProperties: 1, maxProperties: 32 },
);
