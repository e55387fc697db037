import { NAME, choice, count, instant, list, object, oneOf, text, type Schema } from './field.js';
import { httpSchema } from './http-schema.js';
import { postgresSchema } from './postgres-schema.js';

const source: Schema = object(
  {
    name: text('Its name in this register. `own-writes` is taken.', 'ledger', { pattern: NAME, not: { const: 'own-writes' } }),
    role: oneOf(['deciding', 'candidates'], 'deciding: its complete read supports a no-match. candidates: it can only add candidates.'),
    method: oneOf(['exact-lookup', 'enumeration', 'approximate'], 'How it is read. approximate never decides.'),
    authority: oneOf(['original', 'copy'], 'original: the system of record. copy: an index, replica or export of it.'),
    copyOf: text(
      'Of a copy: the source whose records it shows, under the same ids and versions. A review of one of them counts in both.',
      'ledger',
      { pattern: NAME },
    ),
    lagMaxMs: {
      ...count('Longest time by which it can be behind the truth; null where no bound is known.', 0),
      type: ['integer', 'null'],
    },
    drift: oneOf(
      ['none', 'single-response', 'snapshot', 'keyset', 'documented', 'second-pass'],
      'What excludes or checks that records move during the read. none: every longer read carries the doubt `drift-possible`.',
      { default: 'none' },
    ),
    predicate: oneOf(
      ['unknown', 'wider', 'same', 'narrower'],
      'How its filter compares with this register’s matching; wider is harmless.',
      {
        default: 'unknown',
      },
    ),
    attestation: object(
      { by: text('Who says so.', 'platform team'), until: instant('Until when it holds.') },
      'The credential is attested to see every record.',
    ),
    optionalFields: list(
      text('Name of an identifier.', 'instance'),
      'Identifiers whose path may be absent in a row without doubt.',
      ['instance'],
      {
        default: [],
        uniqueItems: true,
      },
    ),
    connect: choice('type', { http: httpSchema, postgres: postgresSchema }, 'How it is reached, and its continuation contract.'),
  },
  'One source.',
  ['attestation', 'copyOf'],
);

export const sourcesSchema: Schema = list(source, 'What is read, in this order, which follows the move of records.', [], {
  minItems: 1,
  maxItems: 63,
});
