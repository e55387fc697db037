/** From the rows of one response to those that a `page.read` names: the ones that match or are ambiguous, and what those were merged into. */
import { compareRow, isExcluded, statusEffect, statusRulesFor, type PageRow, type StatusEffect, type SourceRow } from '@lacuna/evidence';
import { sha256Hex } from '../sha256.js';
import type { AttemptInput } from './attempt.js';

/** A `page.read` holds 256 KiB and 1,000 rows; the rest of it needs less than 16 KiB. */
export const PAGE_ROWS_MAX = 1_000;
export const PAGE_ROWS_BYTES_MAX = 245_760;
/** A chain of merges is followed so far; the core takes a longer one as unreadable. */
const FOLLOWED_MAX = 16;
/** Records that one page's merged rows are followed to. */
const FOLLOWED_OF_PAGE_MAX = 100;

export interface ComparedPage {
  readonly rows: readonly PageRow[];
  readonly truncated: boolean;
  readonly rowsWithoutKey: number;
  readonly fieldUnavailable: boolean;
  /** Identifiers in which a row differs from what was asked. */
  readonly differing: ReadonlySet<string>;
  /** A row stands against the next step: it matches, is not excluded, and its status (or that of its merged record) blocks. */
  readonly matched: boolean;
}

type Comparing = Pick<AttemptInput, 'register' | 'source' | 'kind' | 'identifiers' | 'exclusions' | 'reader' | 'signal'>;

interface Compared {
  readonly source: SourceRow;
  readonly results: PageRow['results'];
  readonly outcome: 'match' | 'ambiguous' | 'other';
  readonly withoutKey: boolean;
  readonly fieldUnavailable: boolean;
}

export const comparePage = async (sourceRows: readonly SourceRow[], input: Comparing): Promise<ComparedPage> => {
  const compared = sourceRows.map((row) => comparedRow(row, input));
  const matching: PageRow[] = [];
  const followed = new Map<string, PageRow>();
  let matched = false;
  for (const each of compared) {
    if (each.outcome !== 'match') continue;
    const stands = await standing(pageRow(each, input), followed, input);
    matching.push(stands.row);
    matched ||= stands.blocks;
  }
  const ambiguous = compared
    .filter(({ outcome }) => outcome === 'ambiguous')
    .map((each) => ({ ...pageRow(each, input), followedTo: null }));
  const targets = [...followed.values()].map((row) => followedOrNot(row, followed));
  return {
    ...cut([...matching, ...targets, ...ambiguous]),
    rowsWithoutKey: compared.filter(({ withoutKey }) => withoutKey).length,
    fieldUnavailable: compared.some((each) => each.fieldUnavailable),
    differing: differingIn(compared),
    matched,
  };
};

const comparedRow = (row: SourceRow, { register, source, identifiers }: Comparing): Compared => {
  const { results, outcome, withoutKey, fieldUnavailable } = compareRow(register.identifiers, identifiers, row, source.optionalFields);
  return { source: row, results, outcome, withoutKey, fieldUnavailable: fieldUnavailable.length > 0 };
};

const differingIn = (compared: readonly Compared[]): ReadonlySet<string> => {
  const differing = new Set<string>();
  for (const { results } of compared) for (const name in results) if (results[name] === 'differ') differing.add(name);
  return differing;
};

/** Only a row that is named is digested: most are not. */
const pageRow = ({ source, results }: Compared, { register }: Comparing): PageRow => {
  const { recordId, version, status, ownWrite } = source;
  const followedTo = statusEffect(status, register.status) === 'follow' ? source.followedTo : null;
  return { recordId, version, digest: digestOf(source), results, status, followedTo, ...(ownWrite && { ownWrite }) };
};

/** Of the compared fields, by name; an absent path is not a null. */
const digestOf = ({ values }: SourceRow): string =>
  sha256Hex(
    JSON.stringify(
      Object.keys(values)
        .sort()
        .map((name) => [name, ...(values[name] === undefined ? [] : [values[name]])]),
    ),
  );

/**
 * A merged record is read by its id, and so on along the chain; each record read stands among the page's rows. Where one cannot be read,
 * or was met before, the row before it says `followedTo: null`, and the core holds.
 */
const standing = async (
  first: PageRow,
  followed: Map<string, PageRow>,
  input: Comparing,
): Promise<{ readonly row: PageRow; readonly blocks: boolean }> => {
  const { source, exclusions } = input;
  if (isExcluded(source.name, first, exclusions)) return { row: { ...first, followedTo: null }, blocks: false };
  const effect = effectOf(first, input);
  // What an own write of an outside target stands for depends on the other sources.
  if (effect !== 'follow') return { row: first, blocks: effect === 'blocks' && first.ownWrite === undefined };
  const path = new Set([first.recordId]);
  let last = first;
  for (let hops = 0; hops < FOLLOWED_MAX; hops += 1) {
    const next = last.followedTo;
    const target = next === null || path.has(next) ? null : (followed.get(next) ?? (await readRecord(next, followed.size, input)));
    if (target === null) break;
    path.add(target.recordId);
    followed.set(target.recordId, target);
    last = target;
  }
  return { row: followedOrNot(first, followed), blocks: last !== first && blocksAtEnd(last, input) };
};

const effectOf = ({ status }: PageRow, { register, kind }: Comparing): StatusEffect =>
  statusEffect(status, statusRulesFor(kind, register.status));

const blocksAtEnd = (last: PageRow, input: Comparing): boolean =>
  !isExcluded(input.source.name, last, input.exclusions) && effectOf(last, input) === 'blocks';

const followedOrNot = (row: PageRow, followed: ReadonlyMap<string, PageRow>): PageRow =>
  row.followedTo !== null && followed.has(row.followedTo) ? row : { ...row, followedTo: null };

const readRecord = async (recordId: string, followedSoFar: number, input: Comparing): Promise<PageRow | null> => {
  if (!input.reader.readById || followedSoFar >= FOLLOWED_OF_PAGE_MAX) return null;
  const outcome = await input.reader.readById(recordId, input.signal);
  if (outcome.type !== 'record' || outcome.row.recordId !== recordId) return null;
  return pageRow(comparedRow(outcome.row, input), input);
};

/** Matching rows come first, so that a cut loses none of them before an ambiguous one. */
const cut = (rows: readonly PageRow[]): { readonly rows: readonly PageRow[]; readonly truncated: boolean } => {
  const kept: PageRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    if (kept.length === PAGE_ROWS_MAX || bytes > PAGE_ROWS_BYTES_MAX) return { rows: kept, truncated: true };
    kept.push(row);
  }
  return { rows: kept, truncated: false };
};
