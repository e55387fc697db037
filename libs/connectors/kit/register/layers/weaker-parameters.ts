import { isObject, type Json, type JsonObject } from './merge-rules.js';

const fixedText = (value: Json | undefined): string | null => {
  const fixed = isObject(value) ? value['value'] : value;
  return typeof fixed === 'string' || typeof fixed === 'number' || typeof fixed === 'boolean' ? String(fixed) : null;
};

const memberOf = (fields: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), fields);

/**
 * A value that `requires` names cannot be put right by one layer where another says otherwise: the one that does not comply stands, so that
 * the order of layers decides nothing.
 */
export const withWeakerParameters = (merged: JsonObject, layers: readonly JsonObject[]): JsonObject => {
  const { requires } = merged;
  if (!Array.isArray(requires)) return merged;
  return (requires as readonly Json[]).reduce<JsonObject>((fields, required) => weakened(fields, required, layers), merged);
};

const weakened = (fields: JsonObject, required: Json, layers: readonly JsonObject[]): JsonObject => {
  if (!isObject(required) || typeof required['value'] !== 'string' || required['absent'] === true) return fields;
  const [where, name] = 'query' in required ? ['query', required['query']] : ['headers', required['header']];
  if (typeof name !== 'string' || typeof where !== 'string') return fields;
  const other = layers
    .map((layer) => memberOf(layer, 'connect', 'request', where, name))
    .find((value) => value !== undefined && fixedText(value) !== required['value']);
  const request = memberOf(fields, 'connect', 'request');
  if (other === undefined || !isObject(request)) return fields;
  const values = request[where];
  const connect = fields['connect'] as JsonObject;
  return { ...fields, connect: { ...connect, request: { ...request, [where]: { ...(isObject(values) ? values : {}), [name]: other } } } };
};
