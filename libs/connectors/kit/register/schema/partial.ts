import type { Schema } from './field.js';

type Properties = Readonly<Record<string, Schema>>;

/**
 * The same schema for one layer of several: nothing is required and nothing has a default. Entries of lists and maps, and values that are
 * short for an object, are stated whole.
 */
export const partial = (schema: Schema): Schema => {
  const { required: _required, default: _default, ...rest } = schema;
  if (Array.isArray(schema['type'])) return rest;
  const properties = schema['properties'] as Properties | undefined;
  const branches = schema['allOf'] as readonly Schema[] | undefined;
  return {
    ...rest,
    ...(properties === undefined || 'maxProperties' in schema
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, partial(each)])) }),
    ...(branches === undefined ? {} : { allOf: branches.map((branch) => ({ ...branch, then: partial(branch['then'] as Schema) })) }),
  };
};
