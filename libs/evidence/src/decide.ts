/**
 * The verdict on one generation: any match gives `match-review`; else `scoped-no-match` only when every deciding source supports it; else
 * `evidence-hold` with every reason. A function of its three arguments (V4); no text of a record is compared with anything here (V5).
 */
import { oldestOf } from './boundary.js';
import { catalogue, reasonCodes, type ReasonCode } from './catalogue.js';
import { completenessOf } from './completeness.js';
import { countMatches } from './count-matches.js';
import {
  LISTED_MAX,
  type Decision,
  type DecisionReason,
  type Evidence,
  type NamedRecord,
  type SourceFinding,
  type Verdict,
} from './decision.js';
import type { PageRow } from './facts.js';
import { hintRank } from './hint-rank.js';
import { formatInstant, parseInstant } from './instant.js';
import { movedBetween } from './moves.js';
import { judgeOwnWrites, OWN_WRITES, sourcesOf } from './own-writes.js';
import { questionDoubts } from './question-doubts.js';
import type { Register } from './register.js';
import { findingOf, readSource, type DecisionContext, type SourceReading } from './source-finding.js';
import type { Standing } from './status.js';

interface Judged {
  readonly reading: SourceReading;
  /** Reasons that hold: of a candidates source only those by which evidence was lost or a seen record stays unread. */
  readonly open: readonly ReasonCode[];
  readonly accepted: readonly ReasonCode[];
}

const listedFirst = (codes: Iterable<ReasonCode>): readonly ReasonCode[] => {
  const wanted = new Set(codes);
  return reasonCodes.filter((code) => wanted.has(code));
};

const isAccepted = (code: ReasonCode, source: string, { register, decidedAtMs }: DecisionContext): boolean =>
  code === 'drift-possible' &&
  register.acceptedDoubts.some((accepted) => {
    const until = parseInstant(accepted.until);
    return accepted.doubt === code && accepted.source === source && until !== null && decidedAtMs !== null && until > decidedAtMs;
  });

const HOLDS_ANYWHERE: readonly ReasonCode[] = ['evidence-incomplete', 'merge-unreadable'];

const judge = (reading: SourceReading, moved: boolean, context: DecisionContext): Judged => {
  const { name, role } = reading.rule;
  const has = (standing: Standing): boolean => reading.standings.some((each) => each.standing === standing);
  /** A match that the log does not show: no hold may say that one was seen. What a lookup finds is no match. */
  const saidToMatch = reading.stop === 'match-found' && role !== 'lookup' && !has('match');
  const codes = new Set<ReasonCode>([...reading.doubts, ...(reading.again?.doubts ?? [])]);
  if (reading.stop !== 'end-signalled') codes.add(saidToMatch ? 'evidence-incomplete' : reading.stop);
  if (reading.again !== null && reading.again.stop !== 'end-signalled') codes.add(againStop(reading.again, has('match')));
  if (moved) codes.add('moved-between-sources');
  if (has('ambiguous')) codes.add('identity-ambiguous');
  if (has('merge-unreadable')) codes.add('merge-unreadable');
  const counting = listedFirst(codes).filter((code) => role === 'deciding' || HOLDS_ANYWHERE.includes(code));
  return {
    reading,
    open: counting.filter((code) => !isAccepted(code, name, context)),
    accepted: counting.filter((code) => isAccepted(code, name, context)),
  };
};

const againStop = ({ stop }: SourceReading, isMatched: boolean): ReasonCode =>
  stop === 'match-found' && !isMatched ? 'evidence-incomplete' : stop;

const judgeAll = (context: DecisionContext): readonly Judged[] => {
  const read = sourcesOf(context.register).map((rule) => readSource(rule, context));
  const firsts = read.filter(({ rule }) => rule.role === 'deciding' && rule.name !== OWN_WRITES);
  const moving = [...firsts, ...firsts.flatMap(({ again }) => again ?? [])];
  const moved = movedBetween(
    context.register,
    moving.map(({ rule, boundaryMs, endedAtMs }) => ({ source: rule.name, boundaryMs, endedAtMs })),
  );
  const readings = read.map((reading) => (reading.rule.name === OWN_WRITES ? besideOthers(reading, moving) : reading));
  return readings.map((reading) => judge(reading, moved.includes(reading.rule.name), context));
};

const besideOthers = (own: SourceReading, others: readonly SourceReading[]): SourceReading => {
  const { standings, doubts } = judgeOwnWrites(own.standings, {
    boundariesMs: others.map(({ boundaryMs }) => boundaryMs),
    recordIds: new Set(others.flatMap((reading) => reading.standings.map(({ row }) => row.recordId))),
  });
  return { ...own, standings, doubts: [...own.doubts, ...doubts] };
};

/** A source that was left in the middle was seen up to no moment; one that was left at a match, in the part that holds the match. */
const SEEN: readonly ReasonCode[] = ['end-signalled', 'match-found'];
const seenUpTo = ({ reading }: Judged, stops: readonly ReasonCode[]): number | null =>
  stops.includes(reading.stop) ? reading.boundaryMs : null;

const instantOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : formatInstant(epochMs));

const showFinding = ({ reading, open, accepted }: Judged): SourceFinding => ({
  source: reading.rule.name,
  role: reading.rule.role,
  finding: findingOf(reading, open.length > 0 || reading.stop !== 'end-signalled'),
  stop: reading.stop,
  doubts: listedFirst(reading.doubts).filter((code) => !accepted.includes(code)),
  accepted,
  attemptId: reading.attempt.ended?.attemptId ?? null,
  pages: reading.attempt.pages.length,
  boundary: instantOrNull(reading.boundaryMs),
});

type Rank = (row: PageRow) => number;

/** Each record once, the highest rank first and else as first logged; a record that was read in two versions stands in both. */
const named = (judged: readonly Judged[], standings: readonly Standing[], rank: Rank = () => 0): readonly NamedRecord[] => {
  const records = new Map<string, { readonly record: NamedRecord; readonly rank: number }>();
  for (const { reading } of judged) {
    for (const { standing, row } of reading.standings) {
      if (!standings.includes(standing)) continue;
      const { recordId, version, digest, status } = row;
      const record = { source: reading.rule.name, recordId, version, digest, status };
      const key = JSON.stringify([record.source, recordId, version, digest, status]);
      if (!records.has(key)) records.set(key, { record, rank: rank(row) });
    }
  }
  return [...records.values()].sort((one, other) => other.rank - one.rank).map(({ record }) => record);
};

const reasonsIn = (judged: readonly Judged[], codes: (one: Judged) => readonly ReasonCode[]): readonly DecisionReason[] =>
  judged.flatMap((one) => codes(one).map((code) => ({ code, source: one.reading.rule.name })));

const hasMatch = ({ reading }: Judged): boolean => reading.standings.some(({ standing }) => standing === 'match');

const verdictOf = (matches: readonly NamedRecord[], open: readonly DecisionReason[]): Verdict =>
  matches.length > 0 ? 'match-review' : open.length === 0 ? 'scoped-no-match' : 'evidence-hold';

const shownReasons = (verdict: Verdict, judged: readonly Judged[], open: readonly DecisionReason[]): readonly DecisionReason[] => {
  if (verdict === 'evidence-hold') return open;
  const unread = open.filter(({ code }) => code !== 'match-found');
  if (verdict === 'match-review') return [...reasonsIn(judged.filter(hasMatch), () => ['match-found']), ...unread];
  return reasonsIn(
    judged.filter(({ reading }) => reading.rule.role === 'deciding'),
    () => ['end-signalled'],
  );
};

const ownerOf = (verdict: Verdict, reasons: readonly DecisionReason[], register: Register): Decision['owner'] => {
  const first = reasons.find(({ code }) => !catalogue[code].healsByWaiting) ?? reasons[0];
  const role = verdict === 'match-review' ? 'reviewer' : verdict === 'scoped-no-match' || !first ? 'nobody' : catalogue[first.code].owner;
  return { role, ...register.owner };
};

export const decide = (evidence: Evidence, register: Register, decidedAt: string): Decision => {
  const context: DecisionContext = { evidence, register, decidedAtMs: parseInstant(decidedAt) };
  const judged = judgeAll(context);
  const deciding = judged.filter(({ reading }) => reading.rule.role === 'deciding');
  const open = [...questionDoubts(context).map((code) => ({ code, source: null })), ...reasonsIn(judged, (one) => one.open)];
  const accepted = reasonsIn(judged, (one) => one.accepted);
  const matches = named(judged, ['match']);
  const candidates = named(judged, ['ambiguous', 'merge-unreadable', 'missing'], hintRank(register.identifiers));
  const reusable = named(judged, ['reusable']);
  const excluded = named(judged, ['excluded']);
  const verdict = verdictOf(matches, open);
  const reasons = shownReasons(verdict, judged, open);
  const completeness = completenessOf([...open, ...accepted].map(({ code }) => code));
  return {
    verdict,
    reasons,
    accepted,
    matches: matches.slice(0, LISTED_MAX),
    candidates: candidates.slice(0, LISTED_MAX),
    reusable: reusable.slice(0, LISTED_MAX),
    excluded: excluded.slice(0, LISTED_MAX),
    listsTruncated: [matches, candidates, reusable, excluded].some((list) => list.length > LISTED_MAX),
    found: { matches: matches.length, candidates: candidates.length, reusable: reusable.length, excluded: excluded.length },
    rowsWithoutKey: judged.flatMap(({ reading }) => reading.attempt.pages).reduce((sum, page) => sum + page.rowsWithoutKey, 0),
    asOf: instantOrNull(oldestOf(deciding.map((one) => seenUpTo(one, ['end-signalled'])))),
    boundaries: deciding.map((one) => ({ source: one.reading.rule.name, boundary: instantOrNull(seenUpTo(one, SEEN)) })),
    findings: judged.map(showFinding),
    ...completeness,
    healsByWaiting: verdict === 'evidence-hold' && open.every(({ code }) => catalogue[code].healsByWaiting),
    owner: ownerOf(verdict, reasons, register),
    count: countMatches({
      kind: evidence.started?.kind,
      partial: completeness.partial,
      register,
      readings: judged.map(({ reading }) => reading),
      matches,
      candidates: named(deciding, ['ambiguous']).length,
    }),
    decidedAt,
  };
};
