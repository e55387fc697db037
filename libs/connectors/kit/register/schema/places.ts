import { list, text, type Schema } from './field.js';

const POINTER = '^(/([^~/]|~[01])*)*$';

/** Query parameters, and the names of values that are taken or sent. */
export const PARAMETER = '^[A-Za-z0-9_.:\\[\\]$-]{1,64}$';
export const HEADER = '^[a-z0-9][a-z0-9-]{0,63}$';
/** Below the base URL. `{name}` is the paging's value of that name, or an identifier. */
export const PATH = "^/[A-Za-z0-9._~/:@!$&'()*+,;=%{}-]*$";

export const pointer = (description: string, example: string, more: Schema = {}): Schema =>
  text(`${description} (JSON Pointer, RFC 6901)`, example, { minLength: 0, pattern: POINTER, ...more });

const ID_PARTS_MAX = 8;

/** One, or a list of them. */
export const pointers = (description: string, example: string): Schema => ({
  ...pointer(description, example),
  type: ['string', 'array'],
  minItems: 1,
  maxItems: ID_PARTS_MAX,
  items: pointer('One of them', example),
});

/** Keywords of JSON Schema look at their own type only, so that text and object need no `anyOf`, whose errors nobody understands. */
export const place = (description: string, example: unknown): Schema => ({
  type: ['string', 'object'],
  description: `${description} (a place: JSON Pointer into the body, { header: name }, { link: relation } or { lastRow: pointer })`,
  examples: [example],
  pattern: POINTER,
  maxLength: 500,
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    header: text('A header, in lower case.', 'x-next-page', { pattern: HEADER }),
    link: text('Target of the link of that relation in the header `link` (RFC 8288).', 'next', { maxLength: 64 }),
    lastRow: pointer('Within the row that came last', '/id'),
  },
});

/** What stands in a place that says where to go on when there is nowhere. */
export const nothingThere = (description: string, example: readonly string[]): Schema =>
  list({ enum: ['absent', 'null', 'empty', 'false', null, false] }, description, example, { minItems: 1, uniqueItems: true });

export const sendPlace = (description: string, example: unknown): Schema => ({
  type: ['string', 'object'],
  description: `${description} (text: a query parameter of that name)`,
  examples: [example],
  minLength: 1,
  maxLength: 500,
  additionalProperties: false,
  required: ['name'],
  properties: {
    in: {
      enum: ['query', 'header', 'body', 'path'],
      description: 'Where it is written. path: it replaces `{name}` in the path.',
      default: 'query',
      examples: ['query'],
    },
    name: text('Name of the parameter or header; in the body a JSON Pointer, which is made where it is absent.', 'cursor', {
      maxLength: 200,
    }),
  },
});

const SCALAR: Schema = { type: ['boolean', 'string', 'number', 'null'] };

export const scalars = (description: string, example: unknown, more: Schema = { minItems: 1 }): Schema =>
  list(SCALAR, description, example, more);

export const documentedAt = (what: string): Schema => text(`Where the source documents ${what}.`, 'https://example.org/docs/paging');
