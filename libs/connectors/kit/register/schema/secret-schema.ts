import { text, type Schema } from './field.js';

/** Where a secret or an address is kept; the value itself never stands in a register. */
export const secretReference = (description: string, example: unknown): Schema => ({
  type: 'object',
  description,
  examples: [example],
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    env: text('Name of an environment variable.', 'LACUNA_SOURCE_SAMPLE_URL', { pattern: '^[A-Z][A-Z0-9_]{0,127}$' }),
    file: text('Path of a file that holds nothing else.', '/run/secrets/sample-url', { pattern: '^/' }),
  },
});
