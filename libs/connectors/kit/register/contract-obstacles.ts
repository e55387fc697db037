/**
 * What in a contract keeps its source from ever supporting a no-match, although no field of the core's rule says so. Each stands in
 * `contractDoubts`, so that the core holds by it whatever the loader has let through.
 */
import { reasonCodes, type ReasonCode, type SourceRule } from '@lacuna/evidence';
import type { Connect, EndSignal, HttpConnect } from './connect.js';
import { isSent, sentValues } from './sent-values.js';
import type { SentParameter, SourceContract } from './source-contract.js';

export interface ContractObstacle {
  /** JSON Pointer below the source, as a file would have it. */
  readonly path: string;
  readonly reason: string;
  readonly doubt: ReasonCode;
}

type Contracted = Pick<SourceRule, 'visibility'> & { readonly connect: Connect; readonly contract: SourceContract };

export const contractDoubts = (source: Contracted): readonly ReasonCode[] => {
  const doubts = new Set(contractObstacles(source).map(({ doubt }) => doubt));
  return reasonCodes.filter((code) => doubts.has(code));
};

export const contractObstacles = ({ visibility, connect, contract }: Contracted): readonly ContractObstacle[] => {
  if (connect.type !== 'http') return [];
  return [...requiredObstacles(contract, connect), ...projectionObstacles(contract, connect), ...endObstacles(visibility, connect)];
};

export const parameterText = (parameter: SentParameter): string => {
  const name =
    'query' in parameter
      ? `the query parameter ${parameter.query}`
      : 'header' in parameter
        ? `the header ${parameter.header}`
        : `${parameter.body} of the body`;
  return parameter.value === undefined ? name : `${name} = ${JSON.stringify(parameter.value)}`;
};

const requiredObstacles = ({ requires }: SourceContract, connect: HttpConnect): readonly ContractObstacle[] =>
  requires.flatMap((parameter, at) =>
    isSent(parameter, connect) !== (parameter.absent ?? false)
      ? []
      : [
          {
            path: `/requires/${at}`,
            reason: `${parameterText(parameter)} is ${parameter.absent ? '' : 'not '}sent: ${parameter.why}`,
            doubt: 'scope-unverified' as const,
          },
        ],
  );

const projectionObstacles = ({ projection }: SourceContract, connect: HttpConnect): readonly ContractObstacle[] => {
  if (projection === undefined) return [];
  const sent = sentValues(connect.request).filter(({ in: where, name }) => where === projection.in && isBelow(name, projection.name));
  if (sent.length === 0 && !projection.required) return [];
  const text = sent.map(({ value }) => ('value' in value ? value.value : '')).join(',');
  const missing = projection.contains.filter((field) => !namesField(text, field));
  if (missing.length === 0) return [];
  return [
    {
      path: '/projection',
      reason: `${projection.name} does not ask for ${missing.join(', ')}, which the contract reads`,
      doubt: 'scope-unverified',
    },
  ];
};

const isBelow = (name: string, of: string): boolean => name === of || (of.startsWith('/') && name.startsWith(`${of}/`));

/** As a whole word, or everything: `nextPageToken` is not named by `nextPageTokens`. */
const namesField = (text: string, field: string): boolean =>
  text.split(/[^\p{L}\p{N}_.$@*-]+/u).some((word) => word === field || word === '*');

/** Signals that say nothing by themselves: a page that is short or empty for another reason looks the same. */
const BY_COUNT: readonly EndSignal['by'][] = ['short-page', 'empty-page'];

const endObstacles = (visibility: SourceRule['visibility'], connect: HttpConnect): readonly ContractObstacle[] => {
  const { end, paging, total } = connect;
  const only = (by: readonly EndSignal['by'][]): boolean => end.every((signal) => by.includes(signal.by));
  const byTotal = end.some((signal) => signal.by === 'total');
  const isLastRow = paging.kind === 'cursor' && typeof paging.next === 'object' && 'lastRow' in paging.next;
  const byCursor = paging.kind === 'cursor' || paging.kind === 'url';
  const rules: readonly (readonly [boolean, string, ReasonCode])[] = [
    [
      // A cursor of the last row is absent on an empty page, and on no other.
      only(isLastRow ? [...BY_COUNT, 'no-next-cursor'] : BY_COUNT) && visibility === 'filtered-after-limit',
      'access rules drop rows from a page already cut, so that a short or an empty page is no end',
      'visibility-limited',
    ],
    [
      byTotal && total?.countedBeforeAccess === true,
      'its total counts records that access rules hide, so that it says nothing about those that were read',
      'visibility-limited',
    ],
    [
      byTotal && (total === undefined || (total.relation !== 'exact' && total.relationAt === undefined)),
      'its total is not exact, so that reaching it is no end',
      'metadata-missing',
    ],
    [byTotal && total?.counts === 'page', 'its total counts one page only, so that reaching it is no end', 'metadata-missing'],
    [
      byCursor && only(['total', 'short-page']) && !isShortBelieved(connect),
      'total or short-page over a cursor proves no end: say no-next-cursor or a flag too',
      'metadata-missing',
    ],
  ];
  return rules.flatMap(([holds, reason, doubt]) => (holds ? [{ path: '/connect/end', reason, doubt }] : []));
};

/** A source that allows fewer records than asked for makes every page short. */
export const isShortBelieved = ({ end, paging }: HttpConnect): boolean => {
  const size = paging.kind === 'none' ? undefined : paging.pageSize;
  if (size === undefined) return false;
  const greatest = end.flatMap((signal) => (signal.by === 'short-page' && signal.pageSizeMax !== undefined ? [signal.pageSizeMax] : []));
  return size.echo !== undefined || (greatest.length > 0 && size.size <= Math.min(...greatest));
};
