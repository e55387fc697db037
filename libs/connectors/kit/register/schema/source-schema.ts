import { attestation, attestedSchema, comparisonSchema, hazardsSchema, projectionSchema, requiresSchema } from './contract-fields.js';
import { NAME, choice, count, list, object, oneOf, text, type Schema } from './field.js';
import { httpSchema } from './http-schema.js';
import { postgresSchema } from './postgres-schema.js';

export const PRESETS_MAX = 8;

const presets: Schema = list(
  {
    type: ['string', 'object'],
    description: 'A preset’s name, or a contract written here.',
    examples: ['github-rest-list'],
    pattern: NAME,
    maxLength: 63,
  },
  'Contracts that are layered below this source, in order. Of two that state the same, the weaker statement stands.',
  ['github-rest-list'],
  { default: [], maxItems: PRESETS_MAX },
);

export const sourceProperties: Readonly<Record<string, Schema>> = {
  name: text('Its name in this register. `own-writes` is taken.', 'ledger', { pattern: NAME, not: { const: 'own-writes' } }),
  role: oneOf(
    ['deciding', 'candidates', 'lookup'],
    'deciding: its complete read supports a no-match. candidates: it can only add candidates. lookup: read only to validate an identifier.',
    { default: 'deciding' },
  ),
  method: oneOf(['exact-lookup', 'enumeration', 'approximate'], 'How it is read. approximate never decides.'),
  authority: oneOf(['original', 'copy'], 'original: the system of record. copy: an index, replica or export of it.'),
  copyOf: text(
    'Of a copy: the source whose records it shows, under the same ids and versions. A review of one of them counts in both.',
    'ledger',
    {
      pattern: NAME,
    },
  ),
  presets,
  lagMaxMs: {
    ...count('Longest time by which it can be behind the truth; null where no bound is known.', 0),
    type: ['integer', 'null'],
    default: null,
  },
  recentExcludedMs: count('Newest part that it leaves out on purpose.', 60_000, { default: 0 }),
  drift: oneOf(
    ['none', 'single-response', 'snapshot', 'keyset', 'documented', 'overlap', 'second-pass', 'upper-bound'],
    'What excludes or checks that records move during the read. none: every longer read is `drift-possible`; so is one with upper-bound, which stops inserts only. Default: single-response with paging none, else none.',
  ),
  orderKept: attestation(
    'No record changes its place: the order is on what never changes, and no filter on what can. Needed by second-pass and overlap over several pages, but where `connect.order` is by the record’s own id.',
  ),
  visibility: oneOf(
    ['unknown', 'all-or-nothing', 'filtered-before-limit', 'filtered-after-limit', 'targets-dropped'],
    'Which rows access rules leave out. filtered-after-limit: from a page already cut, so that a short or empty page is no end. targets-dropped: whole targets of a search, silently.',
    { default: 'unknown' },
  ),
  comparison: comparisonSchema,
  attestation: attestation('The credential is attested to see every record.'),
  hazards: hazardsSchema,
  attested: attestedSchema,
  requires: requiresSchema,
  projection: projectionSchema,
  optionalFields: list(
    text('Name of an identifier.', 'instance'),
    'Identifiers whose path may be absent in a row without doubt.',
    ['instance'],
    {
      default: [],
      uniqueItems: true,
    },
  ),
  connect: choice('type', { http: httpSchema, postgres: postgresSchema }, 'How it is reached, and its continuation contract.', {
    type: 'http',
    url: { env: 'LACUNA_SOURCE_SAMPLE_URL' },
  }),
};

const source: Schema = object(sourceProperties, 'One source.', ['attestation', 'copyOf', 'drift', 'orderKept', 'projection']);

export const sourcesSchema: Schema = list(source, 'What is read, in this order, which follows the move of records.', [], {
  minItems: 1,
  maxItems: 63,
});
