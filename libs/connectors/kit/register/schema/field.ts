/** Pieces of the register's JSON Schema: every field says what it is, with an example. */
export type Schema = Readonly<Record<string, unknown>>;

const described = (schema: Schema, description: string, example: unknown): Schema => ({ ...schema, description, examples: [example] });

export const text = (description: string, example: string, more: Schema = {}): Schema =>
  described({ type: 'string', minLength: 1, maxLength: 500, ...more }, description, example);

export const oneOf = (values: readonly string[], description: string, more: Schema = {}): Schema =>
  described({ enum: values, ...more }, description, values[0]);

export const count = (description: string, example: number, more: Schema = {}): Schema =>
  described({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...more }, description, example);

export const flag = (description: string, otherwise: boolean): Schema =>
  described({ type: 'boolean', default: otherwise }, description, true);

export const instant = (description: string): Schema =>
  text(description, '2027-06-30T00:00:00.000Z', { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$' });

export const list = (items: Schema, description: string, example: unknown, more: Schema = {}): Schema =>
  described({ type: 'array', items, maxItems: 64, ...more }, description, example);

/** An object without unknown fields. Every property is required but those named optional or with a default. */
export const object = (properties: Readonly<Record<string, Schema>>, description: string, optional: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name) && !('default' in (properties[name] ?? {}))),
  properties,
  description,
});

export const mapOf = (names: string, values: Schema, description: string, example: unknown, more: Schema = {}): Schema =>
  described(
    { type: 'object', propertyNames: { pattern: names }, additionalProperties: values, maxProperties: 64, ...more },
    description,
    example,
  );

/** A choice by the value of one field; unlike `oneOf` it names what is wrong in the chosen branch only. Null passes all branches. */
export const choice = (field: string, branches: Readonly<Record<string, Schema>>, description: string, example: unknown): Schema => ({
  type: 'object',
  description,
  examples: [example],
  required: [field],
  properties: { [field]: { enum: Object.keys(branches) } },
  allOf: Object.entries(branches).map(([value, branch]) => ({
    if: { type: 'object', required: [field], properties: { [field]: { const: value } } },
    then: branch,
  })),
});

export const NAME = '^[a-z][a-z0-9-]{0,62}$';
/** Identifiers travel in events, whose names are such words too. */
export const IDENTIFIER_NAME = '^[a-z][a-z0-9-]{0,62}$';
