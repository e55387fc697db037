/** The statements of one table source. Names are quoted here and nowhere else; values are parameters. */
import { keysOf, normalForm, type IdentifierRule, type Normaliser } from '@lacuna/evidence';
import type { PostgresConnect } from '../register/connect.js';
import type { DocumentSource, RegisterDocument } from '../register/register-document.js';
import { hasSqlForm, normalFormSql, regularSql } from './sql-normal-form.js';

export interface Statement {
  readonly text: string;
  readonly values: readonly string[];
}

interface Column {
  readonly name: string;
  readonly sql: string;
  readonly normalise: readonly Normaliser[];
}

/** What one table's statements are made of. */
export interface TablePlan {
  readonly connect: PostgresConnect;
  readonly table: string;
  /**
   * Keys with the form in which they are looked up: the lossier one, where there is one. One that has no form in SQL is not among them: no
   * key of a row that counts differs, so that any of them finds it. None: there is no lookup.
   */
  readonly keys: readonly Column[];
  /** Scopes that narrow: those that have a form in SQL. */
  readonly scopes: readonly Column[];
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const tablePlan = (register: Pick<RegisterDocument, 'identifiers'>, connect: PostgresConnect): TablePlan => {
  const columnsOf = (names: readonly string[]): readonly Column[] =>
    names.flatMap((name) => {
      const rule = register.identifiers[name];
      const column = Object.hasOwn(connect.fields, name) ? connect.fields[name] : undefined;
      if (!rule || column === undefined || !hasSqlForm(lookupForm(rule))) return [];
      return [{ name, sql: quoted(column), normalise: lookupForm(rule) }];
    });
  const keys = keysOf(register.identifiers);
  const scopes = Object.keys(register.identifiers).filter((name) => register.identifiers[name]?.kind === 'scope');
  return {
    connect,
    table: `${quoted(connect.table.schema)}.${quoted(connect.table.name)}`,
    keys: columnsOf(keys),
    scopes: columnsOf(scopes),
  };
};

/** What agrees or is near has the same. */
const lookupForm = ({ normalise, near = [] }: IdentifierRule): readonly Normaliser[] => [...normalise, ...near];

const regularRow = ({ keys, scopes }: TablePlan): string =>
  [...keys, ...scopes].map(({ sql, normalise }) => regularSql(normalise, sql)).join(' and ');

const irregularRow = (plan: TablePlan): string => `(${regularRow(plan)}) is not true`;

const scopeOrNull = ({ sql, normalise }: Column): string =>
  `case when ${regularSql(normalise, sql)} then ${normalFormSql(normalise, sql)} else null::text end`;

/** Expressions of the two indexes of an exact lookup. */
export const indexParts = (
  plan: TablePlan,
): { readonly lookup: readonly string[]; readonly irregular: readonly string[]; readonly where: string } => ({
  lookup: plan.keys.map(({ sql, normalise }) => normalFormSql(normalise, sql)),
  irregular: plan.scopes.length > 0 ? plan.scopes.map(scopeOrNull) : [quoted(plan.connect.id)],
  where: irregularRow(plan),
});

const indexName = (table: string, suffix: string): string => quoted(`${table.slice(0, 40)}_lacuna_${suffix}`);

/**
 * The two indexes that a source's owner creates so that it can be read by exact lookup; none where no key has a form in SQL. Run outside a
 * transaction block.
 */
export const sqlIndexStatements = (
  register: Pick<RegisterDocument, 'identifiers'>,
  source: Pick<DocumentSource, 'connect'>,
): readonly string[] => {
  if (source.connect.type !== 'postgres') return [];
  const plan = tablePlan(register, source.connect);
  if (plan.keys.length === 0) return [];
  const { lookup, irregular, where } = indexParts(plan);
  const { name } = source.connect.table;
  const list = (expressions: readonly string[]): string => expressions.map((expression) => `(${expression})`).join(', ');
  return [
    `create index concurrently if not exists ${indexName(name, 'lookup')} on ${plan.table} (${list(lookup)})`,
    `create index concurrently if not exists ${indexName(name, 'irregular')} on ${plan.table} (${list(irregular)}) where ${where}`,
  ];
};

const selectList = ({ connect }: TablePlan): string => {
  const column = (name: string | undefined): string => (name === undefined ? 'null' : `${quoted(name)}::text`);
  const fields = Object.keys(connect.fields).sort();
  return [
    `${column(connect.id)} as id`,
    `${column(connect.version)} as version`,
    `${column(connect.status)} as status`,
    `${column(connect.followTo)} as follow_to`,
    ...fields.map((name, at) => `${column(connect.fields[name])} as field_${at}`),
  ].join(', ');
};

type Asked = Readonly<Record<string, string>>;

/** Scopes that the question gives; one that it leaves out narrows nothing. */
const scopesAsked = (plan: TablePlan, asked: Asked): readonly Column[] => plan.scopes.filter(({ name }) => asked[name] !== undefined);

const formOf = ({ name, normalise }: Column, asked: Asked): string => normalForm(normalise, asked[name] ?? '');

interface LookupParts {
  readonly regular: string;
  readonly irregular: string;
  readonly values: readonly string[];
}

const lookupParts = (plan: TablePlan, asked: Asked): LookupParts => {
  const scopes = scopesAsked(plan, asked);
  const equals = ({ sql, normalise }: Column, at: number): string => `${normalFormSql(normalise, sql)} = $${at + 1}`;
  const keys = plan.keys.map(equals);
  const regularScopes = scopes.map((column, at) => equals(column, plan.keys.length + at));
  const irregularScopes = scopes.map(
    (column, at) => `(${scopeOrNull(column)} = $${plan.keys.length + at + 1} or ${scopeOrNull(column)} is null)`,
  );
  return {
    regular: [...keys, ...regularScopes, `(${regularRow(plan)})`].join(' and '),
    irregular: [irregularRow(plan), ...irregularScopes].join(' and '),
    values: [...plan.keys, ...scopes].map((column) => formOf(column, asked)),
  };
};

/** Rows whose keys have the form asked for, and every irregular row of the scope: two scans, one statement. */
export const lookupStatement = (plan: TablePlan, asked: Asked): Statement => {
  const { regular, irregular, values } = lookupParts(plan, asked);
  const part = (where: string): string =>
    `(select ${selectList(plan)} from ${plan.table} where ${where} limit ${plan.connect.lookupRowsMax + 1})`;
  return { text: `${part(regular)} union all ${part(irregular)}`, values };
};

/** The rows of a lookup, page by page. */
export const pagedLookupStatement = (plan: TablePlan, asked: Asked, after: After): Statement => {
  const { regular, irregular, values } = lookupParts(plan, asked);
  return orderedPage(plan, [`((${regular}) or (${irregular}))`], values, after);
};

/** Where a page of an ordered read begins: after that id, compared as the ids themselves are. */
export interface After {
  readonly id: string | null;
  /** Null: the server infers it. */
  readonly type: string | null;
}

/** A name of its own: `order by "id"` alone would sort by the text that the list of results calls `id`. */
const ORDERED = 'lacuna_row';

const orderedPage = (plan: TablePlan, conditions: readonly string[], values: readonly string[], after: After): Statement => {
  const id = `${ORDERED}.${quoted(plan.connect.id)}`;
  const cursor = `$${values.length + 1}${after.type === null ? '' : `::${after.type}`}`;
  const all = after.id === null ? conditions : [...conditions, `${id} > ${cursor}`];
  const where = all.length > 0 ? `where ${all.join(' and ')} ` : '';
  return {
    text: `select ${selectList(plan)} from ${plan.table} as ${ORDERED} ${where}order by ${id} limit ${plan.connect.pageSize + 1}`,
    values: [...values, ...(after.id === null ? [] : [after.id])],
  };
};

/** After the last id, never an offset. The scope narrows as in a lookup: irregular rows are always read. */
export const enumerationStatement = (plan: TablePlan, asked: Asked, after: After): Statement => {
  const scopes = scopesAsked(plan, asked);
  const conditions = scopes.map((column, at) => `coalesce(${scopeOrNull(column)} = $${at + 1}, true)`);
  return orderedPage(
    plan,
    conditions,
    scopes.map((column) => formOf(column, asked)),
    after,
  );
};

export const recordStatement = (plan: TablePlan, recordId: string): Statement => ({
  text: `select ${selectList(plan)} from ${plan.table} where ${quoted(plan.connect.id)} = $1 limit 2`,
  values: [recordId],
});
