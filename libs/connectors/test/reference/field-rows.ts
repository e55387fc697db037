/** Rows of the field reference, from the schema: what a field is called, its type, its default, what it means, an example. */
import type { Schema } from '../../kit/register/schema/field.js';

export interface FieldRow {
  readonly field: string;
  readonly type: string;
  readonly otherwise: string;
  readonly meaning: string;
  readonly example: string;
}

type Properties = Readonly<Record<string, Schema>>;
type Branch = { readonly if: { readonly properties: Properties }; readonly then: Schema };

const propertiesOf = (schema: Schema): Properties => (schema['properties'] ?? {}) as Properties;
const code = (text: string): string => `\`${text}\``;
const has = (schema: Schema, ...names: readonly string[]): boolean => names.every((name) => name in propertiesOf(schema));

/** Forms that many fields share; the page says once what they are. */
const sharedForm = (schema: Schema): string | null => {
  if (has(schema, 'header', 'link', 'lastRow')) return '[place](#places)';
  if (has(schema, 'in', 'name') && Array.isArray(schema['type'])) return '[send place](#send-places)';
  if (has(schema, 'template', 'identifier')) return '[value](#values)';
  if ((schema['else'] as Schema | undefined) !== undefined && has(schema['else'] as Schema, 'phone', 'date'))
    return '[normaliser](matching.md)';
  return has(schema, 'env', 'file') ? '[reference](#references)' : null;
};

const typeText = (schema: Schema): string => {
  const shared = sharedForm(schema);
  if (shared !== null) return shared;
  if ('const' in schema) return code(JSON.stringify(schema['const']));
  if ('enum' in schema) return enumText(schema['enum'] as readonly string[]);
  if (schema['type'] === 'array') return `list of ${typeText(schema['items'] as Schema)}`;
  if (typeof schema['additionalProperties'] === 'object') return `map of name to ${typeText(schema['additionalProperties'] as Schema)}`;
  if (String(schema['pattern']).startsWith('^(/([^~/]')) return '[pointer](#pointers)';
  const types = Array.isArray(schema['type']) ? (schema['type'] as readonly string[]) : [String(schema['type'])];
  return types.join(', ');
};

/** The reasons of the catalogue are many and have a section of their own. */
const enumText = (values: readonly string[]): string =>
  values.length > 12 ? '[reason](#reasons)' : [...new Set(values.map((value) => code(String(value))))].join(', ');

/** The type column links to what the form is; the schema says it in words for editors. */
const FORM_WORDS = / \((?:a place: [^)]*|JSON Pointer, RFC 6901|text: a query parameter of that name)\)/g;

const meaningOf = (schema: Schema): string => String(schema['description'] ?? '').replaceAll(FORM_WORDS, '');

const branchesOf = (schema: Schema): readonly Branch[] => (schema['allOf'] ?? []) as readonly Branch[];

const otherwiseText = (name: string, schema: Schema, parent: Schema): string => {
  if ('default' in schema) return code(JSON.stringify(schema['default']));
  return ((parent['required'] ?? []) as readonly string[]).includes(name) ? 'required' : '';
};

const exampleText = (schema: Schema): string => {
  const [example] = (schema['examples'] ?? []) as readonly unknown[];
  return example === undefined ? '' : code(JSON.stringify(example).replaceAll('|', '\\|'));
};

/** A field and what stands within it. */
export const rowsOf = (field: string, schema: Schema, parent: Schema = {}): readonly FieldRow[] => {
  const name = field.split('.').at(-1) ?? field;
  const row: FieldRow = {
    field,
    type: branchesOf(schema).length > 0 ? 'object, see below' : field in SAME_AS ? `as \`${SAME_AS[field]}\`` : typeText(schema),
    otherwise: otherwiseText(name, schema, parent),
    meaning: meaningOf(schema),
    example: exampleText(schema),
  };
  return [row, ...within(field, schema)];
};

const OPEN_ONLY = ['take', 'retake', 'flags'];

/** Fields that stand elsewhere on the page in the same words. */
const SAME_AS: Readonly<Record<string, string>> = {
  'connect.open': 'connect.request',
  'connect.confirm': 'connect.request',
  'connect.close': 'connect.request',
  'connect.open.flags': 'connect.flags',
};

const within = (field: string, schema: Schema): readonly FieldRow[] => {
  if (['connect.confirm', 'connect.close', 'connect.open.flags'].includes(field)) return [];
  if (sharedForm(schema) !== null || branchesOf(schema).length > 0) return [];
  if (schema['type'] === 'array') return within(`${field}[]`, schema['items'] as Schema);
  const values = schema['additionalProperties'];
  if (typeof values === 'object' && values !== null) return within(`${field}.<name>`, values as Schema);
  const own = Object.entries(propertiesOf(schema)).filter(([name]) => field !== 'connect.open' || OPEN_ONLY.includes(name));
  return own.flatMap(([name, each]) => rowsOf(`${field}.${name}`, each, schema));
};

export interface BranchRows {
  readonly value: string;
  readonly meaning: string;
  readonly rows: readonly FieldRow[];
}

/** Of a choice: each of its forms with its own fields. */
export const branchRows = (field: string, schema: Schema, by: string): readonly BranchRows[] =>
  branchesOf(schema).map((branch) => {
    const value = String((branch.if.properties[by] as { readonly const: unknown }).const);
    const rows = Object.entries(propertiesOf(branch.then)).filter(([name]) => name !== by);
    return {
      value,
      meaning: String(branch.then['description'] ?? ''),
      rows: rows.flatMap(([name, each]) => rowsOf(`${field}.${name}`, each, branch.then)),
    };
  });

export const tableOf = (rows: readonly FieldRow[]): string =>
  [
    '| field | type | default | meaning | example |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ field, type, otherwise, meaning, example }) =>
        `| ${code(field)} | ${type} | ${otherwise} | ${meaning.replaceAll('|', '\\|')} | ${example} |`,
    ),
  ].join('\n');
