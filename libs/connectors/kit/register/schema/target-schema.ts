/** The write target of a register. */
import { authSchema } from './auth-schema.js';
import { choice, count, list, mapOf, NAME, object, text, type Schema } from './field.js';
import { HEADER, PATH, pointer } from './places.js';
import { secretReference } from './secret-schema.js';

const HOUR_MS = 3_600_000;

const status = (description: string, example: readonly number[], more: Schema = {}): Schema =>
  list({ type: 'integer', minimum: 200, maximum: 499 }, description, example, { minItems: 1, uniqueItems: true, ...more });

const orNull = (schema: Schema): Schema => ({ ...schema, type: ['object', 'null'], default: null });

const create = object(
  {
    url: secretReference('Base URL. No request leaves its origin, and its host must be allowed.', { env: 'DESK_URL' }),
    path: text('Path of the endpoint, below the base URL.', '/tickets', { pattern: PATH }),
    auth: authSchema,
    headers: {
      ...mapOf(HEADER, text('The value; a secret belongs into auth.', '2026-01-01', { maxLength: 200 }), 'Fixed headers.', {
        'x-api-version': '2026-01-01',
      }),
      default: {},
    },
    payloadAt: pointer('Where the payload stands in the JSON that is sent; empty: it is all of it', '/ticket', { default: '' }),
    idempotencyHeader: {
      ...text('Header of the system’s own idempotency feature; null: it has none.', 'idempotency-key', { pattern: HEADER }),
      type: ['string', 'null'],
      default: null,
    },
    requestTimeoutMs: count('Time for the whole answer.', 10_000, { minimum: 100, maximum: 300_000, default: 10_000 }),
    created: {
      ...object(
        {
          statuses: status('Statuses that say that the record was created.', [201], { default: [201] }),
          id: pointer('Its id, without which nothing counts as created', '/id', { default: '/id' }),
        },
        'The answer that confirms the record.',
      ),
      default: {},
    },
    conflict: orNull(
      object(
        {
          statuses: status('Statuses that say that such a record exists.', [409], { default: [409] }),
          id: pointer('The id of that record', '/existing/id'),
        },
        'The answer that names a record which exists already: as good as a match. Null: nothing does.',
      ),
    ),
    otherPayload: orNull(
      object(
        {
          status: count('Its status.', 422, { minimum: 400, maximum: 499 }),
          path: pointer('Where it says why', '/error/code'),
          equals: text('What it says there.', 'idempotency_key_reused', { maxLength: 200 }),
        },
        'The answer to an idempotency key that came before with another payload: the first send arrived. Null: nothing does.',
      ),
    ),
  },
  'How a record is created: one POST.',
);

export const targetSchema: Schema = {
  ...choice(
    'kind',
    {
      'own-table': object(
        {
          name: text('Name of the write target.', 'service-request', { pattern: NAME }),
          kind: { const: 'own-table' },
          policyId: text('Identity and version of its key policy.', 'service-request-v1', { maxLength: 200 }),
        },
        'write-guard keeps the records itself.',
      ),
      outside: object(
        {
          name: text('Name of the write target.', 'desk-ticket', { pattern: NAME }),
          kind: { const: 'outside' },
          policyId: text('Identity and version of its key policy.', 'desk-ticket-v1', { maxLength: 200 }),
          protection: {
            enum: ['own-writes-only'],
            description:
              'What keeps two records of one key apart. own-writes-only: nothing in that system does, so only writes through Lacuna are. It stands on every receipt.',
            examples: ['own-writes-only'],
          },
          sendHorizonMs: count(
            'How long after a send its record may still come into being and be shown; more than requestTimeoutMs. Evidence that is older says nothing of a send whose outcome is unknown.',
            120_000,
            { minimum: 1_000, maximum: 24 * HOUR_MS },
          ),
          create,
        },
        'A system that is not ours.',
      ),
    },
    'Where a record is created after a no-match and an authorisation; null: nowhere.',
    { name: 'service-request', kind: 'own-table', policyId: 'service-request-v1' },
  ),
  type: ['object', 'null'],
  default: null,
};
