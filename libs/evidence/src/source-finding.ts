/** What one source contributes: its records, the reasons that stay open, and whether it supports a no-match. */
import { behindMsMax, boundaryOf } from './boundary.js';
import { reasonOf, type ReasonCode } from './catalogue.js';
import { controlDoubts } from './controls.js';
import type { Evidence, Finding } from './decision.js';
import type { PageFacts, PageRow, StartedFacts } from './facts.js';
import { parseInstant } from './instant.js';
import { readAgain } from './moves.js';
import { driftUnproven, endsAtSignal, namedAttempts, type NamedAttempt } from './named-attempt.js';
import { OWN_WRITES } from './own-writes.js';
import { statusRulesFor } from './question-kind.js';
import type { Register, SourceRule } from './register.js';
import { exclusionsFor, standingOf, type RowStanding } from './status.js';

export interface DecisionContext {
  readonly evidence: Evidence;
  readonly register: Register;
  readonly decidedAtMs: number | null;
}

export interface SourceReading {
  readonly rule: SourceRule;
  readonly attempt: NamedAttempt;
  readonly standings: readonly RowStanding[];
  readonly stop: ReasonCode;
  readonly doubts: readonly ReasonCode[];
  readonly boundaryMs: number | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** The same source once more, after the last one; null where it was not read again. */
  readonly again: SourceReading | null;
}

const byId = (rows: readonly PageRow[]): ReadonlyMap<string, readonly PageRow[]> => {
  const map = new Map<string, PageRow[]>();
  for (const row of rows) {
    const readings = map.get(row.recordId);
    if (readings) readings.push(row);
    else map.set(row.recordId, [row]);
  }
  return map;
};

/** Rows of every page of every attempt: what was seen once counts. A lookup adds nothing. */
const standingsOf = (rule: SourceRule, { evidence, register }: DecisionContext): readonly RowStanding[] => {
  if (rule.role === 'lookup') return [];
  const rows = evidence.pages.filter((page) => page.source === rule.name).flatMap((page) => page.rows);
  const rules = {
    source: rule.name,
    identifiers: register.identifiers,
    status: statusRulesFor(evidence.started?.kind ?? 'exists', register.status),
    exclusions: exclusionsFor(register.sources, rule.name, evidence.started?.exclusions ?? []),
    rowsById: byId(rows),
  };
  return rows.map((row) => standingOf(row, rules)).filter(({ standing }) => standing !== 'other');
};

/** An end or a match in the place of a doubt contradicts itself. */
const doubtOf = (logged: string): ReasonCode => {
  const { code } = reasonOf(logged);
  return code === 'end-signalled' || code === 'match-found' ? 'evidence-incomplete' : code;
};

const stillHolds = (until: string | undefined, decidedAtMs: number | null): boolean =>
  until !== undefined && decidedAtMs !== null && (parseInstant(until) ?? decidedAtMs) > decidedAtMs;

/**
 * Attested until now, or tested by a control that was found. Where there is an attestation it must hold, whatever controls were found. A
 * register's own attestation may be renewed by one that `search.started` brings.
 */
const visibilityDoubts = (rule: SourceRule, started: StartedFacts, { register, decidedAtMs }: DecisionContext): readonly ReasonCode[] => {
  const controls = started.controls.filter((control) => control.source === rule.name);
  const renewed = started.attestations.filter((attestation) => attestation.source === rule.name);
  const attestations = [...renewed, ...(rule.attestation ? [rule.attestation] : [])];
  const attested = attestations.some(({ until }) => stillHolds(until, decidedAtMs));
  const expired = !attested && attestations.length > 0;
  const doubts = [...controlDoubts(register, rule.name, controls, decidedAtMs)];
  if (expired || (!attested && controls.length === 0)) doubts.push('visibility-limited');
  return doubts;
};

/** What leaves no trace in an answer is a doubt for as long as nobody attests that it is not so. */
const hazardDoubts = ({ hazards }: SourceRule, decidedAtMs: number | null): readonly ReasonCode[] =>
  hazards.filter(({ attestation }) => !stillHolds(attestation?.until, decidedAtMs)).map(({ reason }) => doubtOf(reason));

const ruleDoubts = (rule: SourceRule, context: DecisionContext): readonly ReasonCode[] => {
  const { evidence, decidedAtMs } = context;
  const doubts: ReasonCode[] = [...rule.contractDoubts.map(doubtOf), ...hazardDoubts(rule, decidedAtMs)];
  if (rule.method === 'approximate') doubts.push('method-approximate');
  if (rule.predicate !== 'wider' && rule.predicate !== 'same') doubts.push('predicate-narrower');
  if (rule.lagMaxMs === null) doubts.push('replica-lag-unknown');
  const { started } = evidence;
  if (started === null || rule.name === OWN_WRITES) return doubts;
  if ([...started.knownGaps, ...(context.register.knownGaps ?? [])].some((gap) => gap.source === rule.name))
    doubts.push('ingestion-gap-known');
  return [...doubts, ...visibilityDoubts(rule, started, context)];
};

const loggedDoubts = ({ ended, pages }: NamedAttempt): readonly ReasonCode[] =>
  [...pages.flatMap((page) => page.doubts), ...(ended?.doubts ?? [])].map(doubtOf);

/** A record that jumps to a part that was read already is missed by both of two equal passes, and joins no two pages wrongly. */
const mayJump = ({ drift, orderKept }: SourceRule, pages: readonly PageFacts[], decidedAtMs: number | null): boolean => {
  if (pages.length <= 1 || (drift !== 'second-pass' && drift !== 'overlap')) return false;
  return orderKept !== 'by-id' && !stillHolds(orderKept?.until, decidedAtMs);
};

const traversalDoubts = (rule: SourceRule, attempt: NamedAttempt, stop: ReasonCode, decidedAtMs: number | null): readonly ReasonCode[] => {
  const doubts: ReasonCode[] = [];
  const signalled = stop === 'end-signalled';
  if (!attempt.addsUp || (signalled && !endsAtSignal(attempt.pages))) doubts.push('evidence-incomplete');
  if (signalled && (driftUnproven(rule.drift, attempt.pages) || mayJump(rule, attempt.pages, decidedAtMs))) doubts.push('drift-possible');
  return doubts;
};

/** The earlier of what `search.ended` says and what its first page says; null when either is unreadable. */
const startOf = ({ ended, pages }: NamedAttempt): number | null => {
  const first = parseInstant(pages[0]?.startedAt);
  const stated = parseInstant(ended?.startedAt);
  return first === null || stated === null ? null : Math.min(first, stated);
};

/** The later of what `search.ended` says and what its last page says. */
const endOf = ({ ended, pages }: NamedAttempt): number | null => {
  const last = parseInstant(pages.at(-1)?.endedAt);
  const stated = parseInstant(ended?.endedAt);
  return last === null || stated === null ? null : Math.max(last, stated);
};

const goesBack = (page: PageFacts, skewMs: number): boolean => {
  const started = parseInstant(page.startedAt);
  const ended = parseInstant(page.endedAt);
  return started !== null && ended !== null && ended < started - skewMs;
};

const timeDoubts = (
  context: DecisionContext,
  attempt: NamedAttempt,
  read: Pick<SourceReading, 'rule' | 'startedAtMs' | 'boundaryMs'>,
): readonly ReasonCode[] => {
  const { clockSkewMaxMs } = context.register;
  const needsAsOf = parseInstant(context.evidence.started?.needsAsOf);
  const doubts: ReasonCode[] = [];
  if (attempt.pages.length > 0 && read.startedAtMs === null) doubts.push('evidence-incomplete');
  if (read.boundaryMs !== null && needsAsOf !== null && read.boundaryMs < needsAsOf) {
    doubts.push('within-index-lag');
    // What the source leaves out on purpose is the cause where the question needs it.
    if (read.rule.recentExcludedMs > 0) doubts.push('recent-unavailable');
  }
  if (read.startedAtMs !== null && read.boundaryMs === null && behindMsMax(read.rule) !== null) doubts.push('replica-lag-unknown');
  const inFuture = read.startedAtMs !== null && context.decidedAtMs !== null && read.startedAtMs > context.decidedAtMs + clockSkewMaxMs;
  if (inFuture || attempt.pages.some((page) => goesBack(page, clockSkewMaxMs))) doubts.push('clock-skewed');
  return doubts;
};

/** What the source says of its own age can move the boundary back, never forward; a moment that cannot be read leaves none. */
const notBehind = (boundaryMs: number | null, { pages }: NamedAttempt, { clockSkewMaxMs }: Register): number | null =>
  pages.reduce<number | null>((earliest, { watermark }) => {
    if (watermark === undefined || watermark === null || earliest === null) return earliest;
    const statedMs = parseInstant(watermark);
    return statedMs === null ? null : Math.min(earliest, statedMs - clockSkewMaxMs);
  }, boundaryMs);

export const readSource = (rule: SourceRule, context: DecisionContext): SourceReading => {
  const twice = rule.role === 'deciding' && readAgain(context.register).includes(rule.name);
  const [first, second] = namedAttempts(context.evidence, rule.name, twice ? 2 : 1);
  return { ...readingOf(first, rule, context), again: second === undefined ? null : { ...readingOf(second, rule, context), again: null } };
};

const readingOf = (attempt: NamedAttempt, rule: SourceRule, context: DecisionContext): Omit<SourceReading, 'again'> => {
  const stop = attempt.ended === null ? 'evidence-incomplete' : reasonOf(attempt.ended.stopReason).code;
  const startedAtMs = startOf(attempt);
  const boundaryMs = notBehind(boundaryOf(startedAtMs, behindMsMax(rule), context.register.clockSkewMaxMs), attempt, context.register);
  const doubts = [
    ...loggedDoubts(attempt),
    ...traversalDoubts(rule, attempt, stop, context.decidedAtMs),
    ...ruleDoubts(rule, context),
    ...timeDoubts(context, attempt, { rule, startedAtMs, boundaryMs }),
  ];
  return {
    rule,
    attempt,
    standings: standingsOf(rule, context),
    stop,
    doubts: [...new Set(doubts)],
    boundaryMs,
    startedAtMs,
    endedAtMs: endOf(attempt),
  };
};

export const findingOf = (reading: SourceReading, open: boolean): Finding => {
  const has = (standing: RowStanding['standing']): boolean => reading.standings.some((each) => each.standing === standing);
  if (has('match')) return 'match';
  if (has('ambiguous') || has('merge-unreadable')) return 'ambiguous';
  if (reading.attempt.pages.length === 0) return 'unavailable';
  return open ? 'no-match-in-part' : 'no-match';
};
