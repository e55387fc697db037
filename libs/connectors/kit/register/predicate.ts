/** How the source's filter compares with the register's matching, computed from what is sent and how the source compares it. */
import { normaliserText, type IdentifierRule, type Normaliser, type SourceRule } from '@lacuna/evidence';
import type { Connect } from './connect.js';
import { identifiersIn, pathNames, sentValues } from './sent-values.js';
import type { SourceContract, ValueComparison } from './source-contract.js';

type Predicate = SourceRule['predicate'];

/** Identifiers that a request carries, each once. What is asked once before the first page can narrow as well. */
export const identifiersSent = (connect: Connect): readonly string[] => {
  if (connect.type !== 'http') return [];
  const paging = connect.paging.kind === 'none' || connect.paging.kind === 'url' ? [] : [connect.paging.send];
  const ours = paging.filter((place) => place.in === 'path').map((place) => place.name);
  const requests = [connect.request, ...(connect.open === undefined ? [] : [connect.open])];
  const sent = requests.flatMap((request) => sentValues(request).flatMap(({ value }) => identifiersIn(value)));
  return [...new Set(sent)].filter((name) => !ours.includes(name));
};

/** Without an entry nobody knows how it is compared. */
const comparedAs = (rule: IdentifierRule | undefined, comparison: ValueComparison | undefined): Predicate => {
  if (rule === undefined || comparison === undefined || comparison.by === 'unknown') return 'unknown';
  if (comparison.by === 'tokens' || comparison.by === 'fuzzy') return 'narrower';
  const wanted = formsOf(rule);
  if (!reaches(comparison.normalise.map(normaliserText), wanted)) return 'narrower';
  return comparison.by === 'equality' && comparison.normalise.length === wanted.length ? 'same' : 'wider';
};

/** A row whose key is near holds, so that a filter has to let it through; a scope only narrows. */
const formsOf = ({ kind, normalise, near = [] }: IdentifierRule): readonly string[] => [
  ...new Set((kind === 'key' ? [...normalise, ...near] : normalise).map(normaliserText)),
];

/** Each of these loses the same in any order. */
const ORDERLESS: readonly string[] = ['nfkc', 'case-fold', 'trim', 'strip-separators'] satisfies Normaliser[];

/** The source finds every row that agrees or is near: it does all that the rule does, first and in this order where that matters. */
const reaches = (source: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((each) => ORDERLESS.includes(each))
    ? wanted.every((each) => source.includes(each))
    : wanted.every((each, at) => source[at] === each);

/** The worst of them stands: a record that one filter leaves out is left out. */
export const predicateOf = (
  source: { readonly method: SourceRule['method']; readonly connect: Connect; readonly contract: Pick<SourceContract, 'comparison'> },
  identifiers: Readonly<Record<string, IdentifierRule>>,
): Predicate => {
  if (source.connect.type === 'postgres') return source.method === 'exact-lookup' ? 'same' : 'wider';
  const each = identifiersSent(source.connect).map((name) => comparedAs(identifiers[name], source.contract.comparison[name]));
  const worst = (['narrower', 'unknown', 'wider'] as const).find((one) => each.includes(one));
  return worst ?? (each.length > 0 && source.method === 'exact-lookup' ? 'same' : 'wider');
};

/** Names in the path that no identifier and no paging value replaces. */
export const unknownPathNames = (path: string, known: readonly string[]): readonly string[] =>
  pathNames(path).filter((name) => !known.includes(name));
