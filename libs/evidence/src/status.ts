/** What stands against the next step: exclusions by a reviewer and the register's status rules, applied to logged rows of one source. */
import { outcomeOf, type IdentifierRules } from './compare-row.js';
import type { Exclusion, PageRow } from './facts.js';
import type { SourceRule, StatusRules } from './register.js';

/** A chain of merges longer than this counts as unreadable. */
export const FOLLOWED_MAX = 16;

export type StatusEffect = 'blocks' | 'reusable' | 'follow';

/** Every unlisted status blocks, also none at all. */
export const statusEffect = (status: string | null, rules: StatusRules): StatusEffect => {
  if (status !== null && rules.follow.includes(status)) return 'follow';
  return status !== null && rules.reusable.includes(status) ? 'reusable' : 'blocks';
};

/**
 * The exclusions that count for a source: a record that was reviewed in the original is the same record in its copies, and the other way
 * round. Each names the given source.
 */
export const exclusionsFor = (
  sources: readonly Pick<SourceRule, 'name' | 'copyOf'>[],
  source: string,
  exclusions: readonly Exclusion[],
): readonly Exclusion[] => {
  const homeOf = (name: string): string => sources.find((rule) => rule.name === name)?.copyOf ?? name;
  return exclusions.filter((exclusion) => homeOf(exclusion.source) === homeOf(source)).map((exclusion) => ({ ...exclusion, source }));
};

/** A review is of one version; where the source gives no version, of the digest of the compared fields. */
export const isExcluded = (source: string, row: PageRow, exclusions: readonly Exclusion[]): boolean =>
  exclusions.some(
    (exclusion) =>
      exclusion.source === source &&
      exclusion.recordId === row.recordId &&
      (exclusion.version === null ? exclusion.digest === row.digest : exclusion.version === row.version),
  );

/** `missing`: a record that we wrote and that no source shows (own-writes.ts). */
export type Standing = 'match' | 'ambiguous' | 'reusable' | 'excluded' | 'merge-unreadable' | 'missing' | 'other';

export interface RowStanding {
  readonly standing: Standing;
  /** The record that counts: the one that a merged record was followed to, else the row itself. */
  readonly row: PageRow;
}

export interface StandingRules {
  readonly source: string;
  readonly identifiers: IdentifierRules;
  readonly status: StatusRules;
  readonly exclusions: readonly Exclusion[];
  /** Every logged row of the source, by record id: several readings of one record may be in it. */
  readonly rowsById: ReadonlyMap<string, readonly PageRow[]>;
}

const WORST_FIRST: readonly Standing[] = ['match', 'merge-unreadable', 'reusable', 'excluded'];

const worstOf = (standings: readonly RowStanding[]): RowStanding | undefined =>
  WORST_FIRST.map((standing) => standings.find((each) => each.standing === standing)).find((found) => found !== undefined);

/**
 * Every reading of every record that the merge leads to, each record once: linear in the rows, however they point at one another. Meeting
 * a record again is a circle.
 */
const standingOfRecord = (row: PageRow, rules: StandingRules): RowStanding => {
  const reached = new Set([row.recordId]);
  const found: RowStanding[] = [];
  const waiting = [row];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const effect = statusEffect(next.status, rules.status);
    const target = next.followedTo ?? null;
    if (isExcluded(rules.source, next, rules.exclusions)) found.push({ standing: 'excluded', row: next });
    else if (effect !== 'follow') found.push({ standing: effect === 'reusable' ? 'reusable' : 'match', row: next });
    else if (target === null || !rules.rowsById.has(target) || reached.has(target) || reached.size > FOLLOWED_MAX)
      found.push({ standing: 'merge-unreadable', row: next });
    else {
      reached.add(target);
      waiting.push(...(rules.rowsById.get(target) ?? []));
    }
  }
  return worstOf(found) ?? { standing: 'merge-unreadable', row };
};

/** What one logged row says, recomputed from its results: nobody's word for it is taken. */
export const standingOf = (row: PageRow, rules: StandingRules): RowStanding => {
  const outcome = outcomeOf(row.results, rules.identifiers);
  if (outcome === 'other') return { standing: 'other', row };
  if (isExcluded(rules.source, row, rules.exclusions)) return { standing: 'excluded', row };
  return outcome === 'ambiguous' ? { standing: 'ambiguous', row } : standingOfRecord(row, rules);
};
