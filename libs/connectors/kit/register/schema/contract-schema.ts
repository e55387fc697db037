import { NAME, list, object, text, type Schema } from './field.js';
import { partial } from './partial.js';
import { sourceProperties } from './source-schema.js';

const about: Schema = object(
  {
    product: text('What it is the contract of.', 'Example Desk'),
    versions: text('Versions that it was read for.', 'API 2024-10'),
    endpoint: text('Which of its endpoints.', 'GET /tickets'),
    documentedAt: list(text('An address.', 'https://example.org/docs'), 'Where its statements are documented or reported.', [
      'https://example.org/docs',
    ]),
  },
  'What the contract is of, for people.',
  ['versions', 'endpoint', 'documentedAt'],
);

const { name: _name, ...fields } = sourceProperties;

/** The published JSON Schema of a contract file: a preset's contract.yaml, or a layer that stands in a register (docs/schemas/contract.schema.json). */
export const contractSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:lacuna:schema:contract',
  title: 'Lacuna contract',
  ...partial(
    object(
      { name: text('Name of the preset: that of its folder.', 'example-desk', { pattern: NAME }), about, ...fields },
      'What is known of an API, whatever is asked of it. Every field may be left out; a source that names it adds the rest.',
    ),
  ),
};
