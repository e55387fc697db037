import { answerFlags, errorsSchema, recordSchema, retryAfterSchema, stateSchema, unwrapSchema, watermarkSchema } from './answer-schema.js';
import { authSchema } from './auth-schema.js';
import { capsSchema, endSchema, orderSchema, totalSchema } from './end-schema.js';
import { count, object, oneOf, text, type Schema } from './field.js';
import { pagingSchema } from './paging-schema.js';
import { place, pointer } from './places.js';
import { closeSchema, confirmSchema, openSchema, requestSchema } from './request-schema.js';
import { secretReference } from './secret-schema.js';

const retries: Schema = {
  ...object(
    {
      retriesMax: count('Repetitions of one request.', 3, { maximum: 20, default: 0 }),
      delayMs: count('Time before the first; doubled for each further one.', 500, { minimum: 1, maximum: 600_000, default: 500 }),
      delayMsMax: count('Longest time before one, whatever the source asks for.', 10_000, {
        minimum: 1,
        maximum: 3_600_000,
        default: 10_000,
      }),
    },
    'Within one attempt, of a request whose answer was lost or refused for a while: of the first page, and where the cursor replays.',
  ),
  default: {},
};

const rateLimit: Schema = object(
  {
    requests: count('Requests.', 10, { minimum: 1 }),
    perMs: count('In this time.', 1_000, { minimum: 1 }),
    key: text('What is limited, such as a credential that several registers use. Default: the source’s origin and name.', 'desk-token', {
      maxLength: 200,
    }),
  },
  'Most requests in a time, shared by all processes of a deployment.',
  ['key'],
);

/** In the order in which a contract is written: request, rows, how it continues, what ends it, what makes it worthless, time, means. */
export const httpProperties: Readonly<Record<string, Schema>> = {
  type: {
    const: 'http',
    description: 'A list or search endpoint that answers JSON. Default where `type` is left out.',
    examples: ['http'],
  },
  language: { const: 1, description: 'Version of the contract language.', examples: [1], default: 1 },
  url: secretReference('Base URL, kept outside the register. No request leaves its origin, and its host must be allowed.', {
    env: 'LACUNA_SOURCE_SAMPLE_URL',
  }),
  auth: authSchema,
  request: requestSchema,
  open: openSchema,
  confirm: confirmSchema,
  close: closeSchema,
  format: oneOf(
    ['json', 'json-lines', 'event-stream'],
    'How the body is written. json-lines: a list of its lines. event-stream: the data of its last message.',
    {
      default: 'json',
    },
  ),
  unwrap: unwrapSchema,
  state: stateSchema,
  items: pointer('The list of records', '/items'),
  itemsAbsent: oneOf(
    ['response-invalid', 'empty'],
    'An answer without the list. empty: only where the source documents that it is left out when there is nothing.',
    { default: 'response-invalid' },
  ),
  record: recordSchema,
  paging: pagingSchema,
  end: endSchema,
  total: totalSchema,
  caps: capsSchema,
  snapshot: place('Version or snapshot id of the whole read, the same on every page', '/snapshot'),
  order: orderSchema,
  flags: answerFlags('What makes a readable answer less than whole.'),
  errors: errorsSchema,
  notFound: oneOf(
    ['source-unavailable', 'empty'],
    'What a 404 to the first request means; later it is never an end. empty: only where the source documents that it never masks a 403.',
    { default: 'source-unavailable' },
  ),
  noContent: oneOf(['response-invalid', 'empty'], 'A 204 without a body. empty: nothing, and the end.', { default: 'response-invalid' }),
  watermark: watermarkSchema,
  byId: object(
    {
      path: text('Path of one record.', '/requests/{id}', {
        pattern: "^/[A-Za-z0-9._~/:@!$&'()*+,;=%-]*\\{id\\}[A-Za-z0-9._~/:@!$&'()*+,;=%-]*$",
      }),
    },
    'How one record is read, for controls.',
  ),
  retryAfter: retryAfterSchema,
  retries,
  rateLimit,
  requestTimeoutMs: count('Longest time for one answer.', 10_000, { minimum: 1, maximum: 600_000, default: 10_000 }),
  responseBytesMax: count('A longer answer is `truncated`.', 16_777_216, { minimum: 1, maximum: 268_435_456, default: 16_777_216 }),
};

export const httpSchema: Schema = object(httpProperties, 'How the endpoint is read, and its continuation contract.', [
  'open',
  'confirm',
  'close',
  'unwrap',
  'state',
  'total',
  'snapshot',
  'order',
  'watermark',
  'byId',
  'rateLimit',
]);
