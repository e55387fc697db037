import { IDENTIFIER_NAME, count, mapOf, object, text, type Schema } from './field.js';
import { secretReference } from './secret-schema.js';

const column = (description: string, example: string): Schema => text(description, example, { maxLength: 63 });

export const postgresSchema: Schema = object(
  {
    type: { const: 'postgres', description: 'A table or view of PostgreSQL 14 or later.', examples: ['postgres'] },
    url: secretReference('Connection URL, kept outside the register.', { env: 'LACUNA_SOURCE_SAMPLE_DATABASE_URL' }),
    table: object(
      {
        schema: column('Its schema, as spelt in the catalogue.', 'sample'),
        name: column('Its name, as spelt in the catalogue.', 'service_request'),
      },
      'The table that is read.',
    ),
    id: column('Column of the id: unique, never null, never changed. An enumeration is ordered by it.', 'id'),
    version: column('Column of the version: whatever changes when the record changes.', 'version'),
    status: column('Column of the status.', 'status'),
    followTo: column('Column of the id of the record that a merged one was merged into.', 'merged_into'),
    fields: mapOf(IDENTIFIER_NAME, column('Column of this identifier.', 'reference'), 'Where each identifier stands.', {
      reference: 'reference',
    }),
    pageSize: count('Rows of one page of an enumeration.', 500, { minimum: 1, maximum: 10_000, default: 500 }),
    lookupRowsMax: count('An exact lookup that finds more rows is read in pages instead, in the same snapshot.', 1_000, {
      minimum: 1,
      maximum: 10_000,
      default: 1_000,
    }),
  },
  'How the table is read, in one snapshot. An exact lookup needs the two indexes that `sqlIndexStatements` prints, else it enumerates.',
  ['version', 'status', 'followTo'],
);
