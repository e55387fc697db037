import { readFileSync, writeFileSync } from 'node:fs';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import { describe, expect, it } from 'vitest';
import { eventDefinitions } from './index.js';

const snapshot = new URL('../../../docs/schemas/events.schema.json', import.meta.url);

describe('the published event schemas', () => {
  it('are what the classes say', () => {
    // Fails if a field of an event changes without the published schema: consumers outside would not know. Run with UPDATE_SCHEMAS=1 to write it.
    const names = [...new Set(eventDefinitions.map((definition) => definition.dataClass.name))];
    const schemas = validationMetadatasToSchemas({
      classTransformerMetadataStorage: defaultMetadataStorage,
      refPointerPrefix: '#/components/schemas/',
    }) as Record<string, object>;
    const missing = names.filter((name) => !(name in schemas));
    expect(missing).toEqual([]);
    const document = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Lacuna events: the JSON value of each',
      components: { schemas: sorted(schemas) },
    };
    if (process.env['UPDATE_SCHEMAS']) writeFileSync(snapshot, `${JSON.stringify(document, null, 2)}\n`);
    expect(JSON.parse(readFileSync(snapshot, 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)));
  });
});

const sorted = (schemas: Record<string, object>) =>
  Object.fromEntries(Object.entries(schemas).sort(([left], [right]) => left.localeCompare(right)));
