/**
 * The implicit deciding source of every register with a target: write-guard's slots, read last (W1). A slot of an own table is logged as a
 * row like any other: record and slot are one transaction, so the row carries the record's id and its status (docs/decisions/0001).
 * The row of a slot of an outside target carries an `ownWrite`: what it stands for depends on what the other deciding sources show.
 */
import type { ReasonCode } from './catalogue.js';
import type { PageRow } from './facts.js';
import { parseInstant } from './instant.js';
import type { Register, SourceRule } from './register.js';
import type { RowStanding } from './status.js';

export const OWN_WRITES = 'own-writes';
/** Status of the row of a write whose outcome is unknown. */
export const OUTCOME_UNKNOWN = 'outcome-unknown';

/** A write of ours whose outcome is unknown, among the records that leave the key free. */
export const isUnknownWrite = ({ source, status }: { readonly source: string; readonly status: string | null }): boolean =>
  source === OWN_WRITES && status === OUTCOME_UNKNOWN;

export const ownWritesRule: SourceRule = {
  name: OWN_WRITES,
  role: 'deciding',
  method: 'exact-lookup',
  authority: 'original',
  lagMaxMs: 0,
  recentExcludedMs: 0,
  drift: 'single-response',
  predicate: 'same',
  visibility: 'all-or-nothing',
  hazards: [],
  contractDoubts: [],
  optionalFields: [],
};

/** All sources that a generation must speak of, in reading order. */
export const sourcesOf = (register: Register): readonly SourceRule[] =>
  register.target === null ? register.sources : [...register.sources, ownWritesRule];

export interface OwnWritesJudged {
  readonly standings: readonly RowStanding[];
  readonly doubts: readonly ReasonCode[];
}

/** What the other deciding sources show, and up to when. */
export interface OthersSeen {
  readonly boundariesMs: readonly (number | null)[];
  readonly recordIds: ReadonlySet<string>;
}

/**
 * A write whose outcome is unknown leaves the key free once every other deciding source was seen later than it could still come into being,
 * and none shows a record; before that it is in flight. A record that we know we made is a match by itself; shown by another deciding source,
 * that one says its status; shown by none although all were seen later, it is missing: a person has to look.
 */
export const judgeOwnWrites = (standings: readonly RowStanding[], others: OthersSeen): OwnWritesJudged => {
  const judged = standings.map((each) => ({ each, as: standsAs(each.row, others) }));
  return {
    standings: judged.flatMap(({ each, as }) =>
      as === 'itself' ? [each] : as === 'reusable' || as === 'missing' ? [{ ...each, standing: as }] : [],
    ),
    doubts: judged.flatMap(({ as }) =>
      as === 'in-flight' ? ['write-in-flight' as const] : as === 'missing' ? ['own-write-missing' as const] : [],
    ),
  };
};

const standsAs = (
  { ownWrite, recordId }: PageRow,
  others: OthersSeen,
): 'itself' | 'reusable' | 'in-flight' | 'missing' | 'shown-elsewhere' => {
  if (!ownWrite) return 'itself';
  const isLater = areLater(others.boundariesMs, parseInstant(ownWrite.clearAt));
  if (ownWrite.outcome === 'unknown') return isLater ? 'reusable' : 'in-flight';
  if (others.recordIds.has(recordId)) return 'shown-elsewhere';
  return isLater ? 'missing' : 'itself';
};

const areLater = (boundariesMs: readonly (number | null)[], clearAtMs: number | null): boolean =>
  clearAtMs !== null && boundariesMs.length > 0 && boundariesMs.every((boundaryMs) => boundaryMs !== null && boundaryMs > clearAtMs);
