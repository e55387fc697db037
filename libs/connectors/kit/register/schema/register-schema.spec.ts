import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractSchema } from './contract-schema.js';
import type { Schema } from './field.js';
import { registerSchema } from './register-schema.js';
import { walkSchema } from '../../walks/walk-schema.js';

const published = (name: string): URL => new URL(`../../../../../docs/schemas/${name}.schema.json`, import.meta.url);

/** Every schema below one, with its path. */
const below = (schema: Schema, path: string): readonly (readonly [string, Schema])[] => [
  [path, schema],
  ...Object.entries(schema).flatMap(([name, value]) => {
    if (name === 'examples' || name === 'default' || name === 'if' || typeof value !== 'object' || value === null) return [];
    return below(value as Schema, `${path}/${name}`);
  }),
];

describe.each([
  ['register', registerSchema],
  ['contract', contractSchema],
  ['walk', walkSchema],
])('the schema of a %s', (name, schema) => {
  // Fails if a field changes without the published schema: editors and other tools would not know. Run with UPDATE_SCHEMAS=1 to write it.
  it('is the published one', () => {
    if (process.env['UPDATE_SCHEMAS']) writeFileSync(published(name), `${JSON.stringify(schema, null, 2)}\n`);
    expect(JSON.parse(readFileSync(published(name), 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  // Fails if a field can be written that nothing reads.
  it('refuses unknown fields in every object, and describes every field', () => {
    const schemas = below(schema, '');
    const open = schemas.filter(([, schema]) => 'properties' in schema && !('additionalProperties' in schema) && !('allOf' in schema));
    expect(open.map(([path]) => path)).toEqual([]);
    const fields = schemas.filter(([path]) => /\/properties\/[^/]+$/.test(path) && !path.includes('/allOf/'));
    const silent = fields.filter(([, schema]) => !('const' in schema) && !('description' in schema));
    expect(silent.map(([path]) => path).filter((path) => !/(connect\/properties\/type|target\/properties\/kind)$/.test(path))).toEqual([]);
  });
});
