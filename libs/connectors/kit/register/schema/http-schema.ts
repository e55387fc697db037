import { IDENTIFIER_NAME, choice, count, flag, list, mapOf, object, oneOf, text, type Schema } from './field.js';
import { secretReference } from './secret-schema.js';

const pointer = (description: string, example: string): Schema =>
  text(`${description} (JSON Pointer)`, example, { minLength: 0, pattern: '^(/([^~/]|~[01])*)*$' });

const parameter = (description: string, example: string): Schema =>
  text(description, example, { pattern: '^[A-Za-z0-9_.\\[\\]$-]{1,64}$' });

const SCALAR: Schema = { type: ['boolean', 'string', 'number', 'null'] };

const scalars = (description: string, example: unknown): Schema => list(SCALAR, description, example, { minItems: 1 });

const documentedAt = text('Where the source documents that this is the end.', 'https://example.org/docs/paging');

const sizes = {
  sizeParameter: parameter('Query parameter of the page size.', 'limit'),
  size: count('Page size that is asked for.', 100, { minimum: 1, maximum: 10_000 }),
};

const counted = (kind: string, example: string, first: number): Schema =>
  object(
    {
      kind: { const: kind },
      parameter: parameter('Query parameter that carries it.', example),
      first: count('Its value for the first page.', first, { default: first, maximum: 1 }),
      ...sizes,
    },
    `Pages are asked for by ${kind === 'page' ? 'their number' : 'the number of records before them'}.`,
  );

const paging: Schema = choice(
  'kind',
  {
    none: object({ kind: { const: 'none' } }, 'One answer holds everything.'),
    page: counted('page', 'page', 1),
    offset: counted('offset', 'offset', 0),
    cursor: object(
      {
        kind: { const: 'cursor' },
        parameter: parameter('Query parameter that carries the cursor; left out for the first page.', 'cursor'),
        ...sizes,
        next: pointer('Where the next cursor stands in the body', '/next_cursor'),
        noCursor: list({ enum: ['absent', 'null', 'empty'] }, 'What stands there when there is no further page.', ['null'], {
          minItems: 1,
          uniqueItems: true,
        }),
        cursorAtEnd: oneOf(
          ['never', 'allowed'],
          'Whether a cursor may stand beside a signalled end. never: it is a contradiction, and holds.',
          {
            default: 'never',
          },
        ),
      },
      'Pages are asked for by what the page before said.',
    ),
  },
  'How a read continues.',
);

const endSignal: Schema = choice(
  'by',
  {
    'no-next-cursor': object({ by: { const: 'no-next-cursor' } }, 'The page has no next cursor.'),
    flag: object(
      {
        by: { const: 'flag' },
        path: pointer('Where the flag stands', '/has_more'),
        ends: scalars('Values that mean the end.', [false]),
        continues: scalars('Values that mean that there is more. Any other value is unknown, and holds.', [true]),
      },
      'A flag of the page.',
    ),
    total: object({ by: { const: 'total' } }, 'As many records were read as the exact total says.'),
    'single-answer': object({ by: { const: 'single-answer' }, documentedAt }, 'There is never a second page.'),
    'short-page': object(
      { by: { const: 'short-page' }, documentedAt },
      'A page with fewer records than asked for is the last one. As the only signal it is not believed: an empty page must follow.',
    ),
    'empty-page': object({ by: { const: 'empty-page' }, documentedAt }, 'A page without records is the last one.'),
  },
  'One way in which the source says that the read is over.',
);

const FLAG_REASONS = [
  'partial-answer',
  'error-in-success',
  'timed-out',
  'truncated',
  'cap-reached',
  'sub-source-unreachable',
  'recent-unavailable',
] as const;

const answerFlag: Schema = object(
  {
    path: pointer('Where it stands in the body', '/partial'),
    clean: list(SCALAR, 'Values that mean a whole answer. Any other value is the reason, of whatever type.', [false], { default: [] }),
    cleanWhenEmpty: flag('Null, 0 and an empty text, list or object mean a whole answer too: for lists of errors and counts.', false),
    reason: oneOf(FLAG_REASONS, 'What any value means that is not clean.'),
    required: flag('An answer without this path is `metadata-missing`; where not required, it is clean.', true),
  },
  'A part of a readable answer that can make it less than whole.',
);

const record: Schema = object(
  {
    id: pointer('The id', '/id'),
    version: pointer('Whatever changes when the record changes', '/version'),
    status: pointer('The status', '/status'),
    followTo: pointer('Id of the record that a merged one was merged into', '/merged_into'),
    fields: mapOf(IDENTIFIER_NAME, pointer('Place of this identifier', '/reference'), 'Where each identifier stands.', {
      reference: '/reference',
    }),
  },
  'Where things stand in one item.',
  ['version', 'status', 'followTo'],
);

const requestValue: Schema = {
  type: 'object',
  description: 'A fixed text, or the question’s identifier of that name.',
  examples: [{ identifier: 'account' }],
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    value: text('Fixed text.', 'open', { minLength: 0 }),
    identifier: text('Name of an identifier.', 'account', { pattern: IDENTIFIER_NAME }),
  },
};

const PATH = '^/[A-Za-z0-9._~/-]*$';

export const httpSchema: Schema = object(
  {
    type: { const: 'http', description: 'A list or search endpoint that answers JSON.', examples: ['http'] },
    url: secretReference('Base URL, kept outside the register. No request leaves its origin, and its host must be allowed.', {
      env: 'LACUNA_SOURCE_SAMPLE_URL',
    }),
    headers: mapOf(
      '^[a-z][a-z0-9-]{0,63}$',
      secretReference('The whole value.', { env: 'SAMPLE_AUTHORIZATION' }),
      'Request headers.',
      {
        authorization: { env: 'SAMPLE_AUTHORIZATION' },
      },
      { default: {} },
    ),
    request: object(
      {
        path: text('Path below the base URL.', '/requests', { pattern: PATH }),
        query: mapOf(
          '^[A-Za-z0-9_.\\[\\]$-]{1,64}$',
          requestValue,
          'Query parameters of every page.',
          { account: { identifier: 'account' } },
          { default: {} },
        ),
      },
      'What is asked for: a GET.',
    ),
    items: pointer('The list of records in the body', '/items'),
    record,
    paging,
    end: list(endSignal, 'Every signal listed must say the same; a contradiction holds.', [{ by: 'no-next-cursor' }], {
      minItems: 1,
      maxItems: 8,
    }),
    total: object(
      { path: pointer('Where the total stands', '/total'), relation: oneOf(['exact', 'estimate', 'lower-bound'], 'What it promises.') },
      'The source’s count of all records that the request matches.',
    ),
    snapshot: pointer('Version or snapshot id of the whole read, the same on every page', '/snapshot'),
    flags: list(answerFlag, 'What makes a readable answer less than whole.', [], { default: [] }),
    notFound: oneOf(
      ['source-unavailable', 'empty'],
      'What a 404 to the first request means; later it is never an end. empty: only where the source documents that it never masks a 403.',
      {
        default: 'source-unavailable',
      },
    ),
    byId: object(
      { path: text('Path of one record.', '/requests/{id}', { pattern: '^/[A-Za-z0-9._~/-]*\\{id\\}$' }) },
      'How one record is read.',
    ),
    requestTimeoutMs: count('Longest time for one answer.', 10_000, { minimum: 1, maximum: 600_000, default: 10_000 }),
    responseBytesMax: count('A longer answer is `truncated`.', 16_777_216, { minimum: 1, maximum: 268_435_456, default: 16_777_216 }),
  },
  'How the endpoint is read, and its continuation contract.',
  ['total', 'snapshot', 'byId'],
);
