import { IDENTIFIER_NAME, NAME, count, instant, list, mapOf, object, oneOf, text, type Schema } from './field.js';
import { identifiersSchema } from './identifier-schema.js';
import { sourcesSchema } from './source-schema.js';
import { targetSchema } from './target-schema.js';

const DAY_MS = 86_400_000;
const MEBIBYTE = 1_048_576;

const statuses = (description: string, example: readonly string[]): Schema =>
  list(text('A status as the sources spell it.', 'closed', { maxLength: 200 }), description, example, { default: [], uniqueItems: true });

const acceptedDoubt = object(
  {
    source: text('Name of a source.', 'ledger', { pattern: NAME }),
    doubt: oneOf(['drift-possible'], 'The doubt.'),
    owner: text('Who accepts it.', 'intake@example.org'),
    reason: text('Why.', 'Rows are never deleted.'),
    until: instant('Until when.'),
  },
  'A doubt that is accepted by name. It stands in statement and receipt, and policy auto is refused.',
);

const knownGap = object(
  {
    source: text('Name of a source.', 'index', { pattern: NAME }),
    from: instant('Since when records are missing.'),
    to: { ...instant('Until when; null: still.'), type: ['string', 'null'] },
    owner: text('Who looks after it.', 'platform team'),
    reason: text('What happened.', 'The ingestion of region EU stood still.'),
  },
  'Records that are known to be missing from a source.',
);

const control = object(
  {
    source: text('Name of a source.', 'ledger', { pattern: NAME }),
    recordId: text('Its id in that source.', 'SR-000017', { maxLength: 512 }),
    identifiers: mapOf(IDENTIFIER_NAME, text('A value.', 'SR-17', { maxLength: 512 }), 'What a question would give to find it.', {
      account: 'ACC-000001',
      reference: 'SR-17',
    }),
  },
  'A record known to exist.',
);

const controls = object(
  {
    ageMaxMs: count('How long a check is trusted; then it is control-stale.', 3_600_000, {
      minimum: 10_000,
      maximum: 30 * DAY_MS,
      default: 3_600_000,
    }),
    records: list(control, 'Two or more for each source that has any.', [], { minItems: 2, maxItems: 64 }),
  },
  'Records known to exist, looked for by the same path with the same credential, beside the questions. One that a search misses holds (control-missed).',
);

const budget = object(
  {
    pagesMax: count('Pages.', 1_000, { minimum: 1, maximum: 1_000_000, default: 1_000 }),
    recordsMax: count('Records.', 1_000_000, { minimum: 1, maximum: 10_000_000, default: 1_000_000 }),
    bytesMax: count('Bytes of answers.', 256 * MEBIBYTE, { minimum: 1, default: 256 * MEBIBYTE }),
    elapsedMsMax: count('Time.', 120_000, { minimum: 1, maximum: DAY_MS, default: 120_000 }),
  },
  'The most that one walk over one source may take.',
);

const properties: Readonly<Record<string, Schema>> = {
  name: text('Name of the register.', 'service-requests', { pattern: NAME }),
  version: text('Its version, for people; the content’s hash is what receipts carry.', '1', { maxLength: 63 }),
  owner: object(
    {
      name: text('A team or person.', 'Intake desk', { maxLength: 200 }),
      contact: text('Where holds go.', 'intake@example.org', { maxLength: 200 }),
    },
    'Who answers for the register and gets its holds.',
  ),
  identifiers: identifiersSchema,
  sources: sourcesSchema,
  status: {
    ...object(
      {
        reusable: statuses('Statuses of matching records that do not stand against a creation. Every unlisted status does.', ['cancelled']),
        follow: statuses('Statuses that mean "merged into another record", which is then read instead.', ['merged']),
      },
      'What the status of a matching record means.',
    ),
    default: {},
  },
  moves: {
    ...object(
      {
        kind: oneOf(
          ['none', 'one-way', 'both-ways'],
          'one-way: from each source to those after it. both-ways: all but the last are read once more after it.',
        ),
        leastBetweenMovesMs: count(
          'Least time between two moves of one record; needed with both-ways. A search that takes longer holds.',
          60_000,
        ),
      },
      'How records move between the sources.',
      ['leastBetweenMovesMs'],
    ),
    default: { kind: 'none' },
  },
  knownGaps: list(
    knownGap,
    'What is known to be missing; a source with a gap only holds (ingestion-gap-known), but a match in it counts.',
    [],
  ),
  controls,
  clockSkewMaxMs: count('Largest difference between our clocks and the sources’; 0 in one process.', 1_000, {
    maximum: 3_600_000,
    default: 1_000,
  }),
  toleranceMs: count('How much older than the question its evidence may be. Default, and least: clockSkewMaxMs.', 1_000, {
    maximum: DAY_MS,
  }),
  freshnessMs: count('Oldest evidence on which a record is written; more than the greatest lag and the clock skew.', 60_000, {
    minimum: 1,
  }),
  acceptedDoubts: list(acceptedDoubt, 'Doubts that are accepted by name.', [], { default: [] }),
  policy: oneOf(
    ['auto', 'manual', 'four-eyes'],
    'Who authorises a write after a no-match. auto: this register. manual: an approver. four-eyes: an approver who is not the asker.',
  ),
  authorisation: {
    ...object(
      {
        livesMs: count('How long an approver may take; then it is over.', DAY_MS, {
          minimum: 1_000,
          maximum: 30 * DAY_MS,
          default: DAY_MS,
        }),
        perHourMax: {
          ...count('Writes to the target in one hour, at most; more are refused. null: no limit.', 1_000, { minimum: 1 }),
          type: ['integer', 'null'],
          default: null,
        },
      },
      'Bounds of what is authorised.',
    ),
    default: {},
  },
  target: targetSchema,
  budget: { ...budget, default: {} },
  attempts: {
    ...object(
      {
        attemptsMax: count('Attempts per source, the first included.', 3, { minimum: 1, maximum: 20, default: 3 }),
        elapsedMsMax: count('Time for all of them.', 30_000, { minimum: 1, maximum: DAY_MS, default: 30_000 }),
      },
      'How often a source is tried again within one search, where the reason says that it can help.',
    ),
    default: {},
  },
  holds: {
    ...object(
      {
        autoReruns: count('Reruns of a hold that heals by waiting.', 2, { maximum: 20, default: 2 }),
        autoRerunDelayMs: count('Time between them.', 60_000, { minimum: 1_000, maximum: DAY_MS, default: 60_000 }),
      },
      'What is tried before a person is asked.',
    ),
    default: {},
  },
};

/** The published JSON Schema of a register file (docs/schemas/register.schema.json). */
export const registerSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:lacuna:schema:register',
  title: 'Lacuna register',
  ...object(properties, 'The declared search boundary of one business question.', ['toleranceMs', 'controls', 'knownGaps']),
};
