import { answerFlags } from './answer-schema.js';
import { IDENTIFIER_NAME, mapOf, object, oneOf, text, type Schema } from './field.js';
import { HEADER, PARAMETER, PATH, place } from './places.js';
import { secretReference } from './secret-schema.js';

const alone: Schema = { maxProperties: 1 };

/** Text, number and boolean stand for `{ value: text }`. */
const requestValue: Schema = {
  type: ['string', 'number', 'boolean', 'object'],
  description: 'A fixed value, or an object with one of: value, identifier, secret, opened, template.',
  examples: [{ identifier: 'account' }],
  additionalProperties: false,
  minProperties: 1,
  properties: {
    value: text('A fixed value.', 'open', { minLength: 0 }),
    identifier: text('The question’s identifier of that name; left out where it was not asked.', 'account', { pattern: IDENTIFIER_NAME }),
    secret: secretReference('A secret by reference.', { env: 'DESK_KEY' }),
    opened: text('What `open.take` took under that name.', 'pit', { pattern: PARAMETER }),
    template: text('Text with `{identifier}` in it, for a query language.', 'reference:"{reference}"', { maxLength: 2_000 }),
    escape: oneOf(
      ['none', 'backslash', 'double-quotes', 'double-single-quotes', 'url'],
      'Applied to each value that is put into the template. backslash: before quotes and backslashes. double-…: the quote is doubled. Default: none.',
    ),
    unsafe: text(
      'Regular expression (u flag, unanchored): a question with a value that it finds is not asked (`value-unsafe`). With escape none the default allows letters, digits and @ . _ - only.',
      '["\\\\]',
      { maxLength: 200 },
    ),
  },
  dependentSchemas: {
    value: alone,
    identifier: alone,
    secret: alone,
    opened: alone,
    template: { propertyNames: { enum: ['template', 'escape', 'unsafe'] } },
    escape: { required: ['template'] },
    unsafe: { required: ['template'] },
  },
};

const body: Schema = {
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  description:
    'JSON of a POST. An object whose only member is `$identifier`, `$opened`, `$secret` or `$template` is replaced by that value ($template: { template, escape, unsafe }).',
  examples: [{ filter: { account: { $identifier: 'account' } }, limit: 100 }],
};

const parts: Readonly<Record<string, Schema>> = {
  method: oneOf(['GET', 'POST'], 'GET, or POST where `body` or `graphql` is given.'),
  path: text('Path below the base URL. `{name}` is replaced by an identifier, or by the value of paging with `in: path`.', '/requests', {
    pattern: PATH,
  }),
  query: mapOf(PARAMETER, requestValue, 'Query parameters of every page.', { account: { identifier: 'account' } }, { default: {} }),
  headers: mapOf(HEADER, requestValue, 'Request headers of every page, in lower case.', { consistencylevel: 'eventual' }, { default: {} }),
  body,
  graphql: object(
    {
      query: text('The query; it must select whatever the contract reads.', 'query($after: String) { ... }', { maxLength: 20_000 }),
      variables: {
        type: 'object',
        description: 'Its variables; values as in `body`.',
        examples: [{ account: { $identifier: 'account' } }],
        default: {},
      },
    },
    'Instead of a body: posted as { query, variables }. An answer with `errors` is `error-in-success`.',
  ),
};

const OPTIONAL = ['method', 'body', 'graphql'];

export const requestSchema: Schema = object(parts, 'What is asked for on every page.', OPTIONAL);

export const openSchema: Schema = object(
  {
    ...parts,
    take: mapOf(PARAMETER, place('Where its value stands in the answer', '/id'), 'What is kept of the answer, by name, for `opened`.', {
      pit: '/id',
    }),
    retake: mapOf(
      PARAMETER,
      place('Where a page may give it anew', '/pit_id'),
      'Of what was taken: where a page may give it anew. The newest one is sent.',
      { pit: '/pit_id' },
      { default: {} },
    ),
    flags: answerFlags('What makes this answer unfit.'),
  },
  'Asked once before the first page of each pass: a session, a point in time, a scroll.',
  OPTIONAL,
);

export const confirmSchema: Schema = object(
  parts,
  'Asked after `open`, with what it took. Its answer is not read; anything but a success (any 2xx, and no entry of `errors`) ends the attempt.',
  OPTIONAL,
);

export const closeSchema: Schema = object(parts, 'Asked after the last page; its answer is not read.', OPTIONAL);
