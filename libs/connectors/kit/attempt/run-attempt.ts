/**
 * One walk over one source: the core's state machine says what to ask for next, the reader asks, and each page is handed on before the next
 * is asked for.
 * 1. A page that was read is always handed on, also the one at which the walk stops.
 * 2. What the core decides on is exactly what was handed on.
 */
import {
  startWalk,
  step,
  exclusionsFor,
  walkLimits,
  type Observation,
  type PageObservation,
  type ReasonCode,
  type WalkLimits,
  type WalkStep,
} from '@lacuna/evidence';
import { monotonicMsOf } from '../inputs.js';
import { sentValues } from '../register/sent-values.js';
import { sha256Hex } from '../sha256.js';
import type { PageResponse, ReadFailure } from '../source-reader.js';
import type { AttemptInput, AttemptOutcome, AttemptPage } from './attempt.js';
import { IdSet } from './id-set.js';
import { comparePage, type ComparedPage } from './page-rows.js';

/** Node's timers hold no more. */
const TIMER_MS_MAX = 2_147_483_647;

/** One walk over one source, from its first request to the reason why it ended. The reader is opened and closed here. */
export const runAttempt = async (input: AttemptInput): Promise<AttemptOutcome> => {
  const budget = new AbortController();
  const timer = setTimeout(() => budget.abort(), Math.min(input.limits.elapsedMsMax, TIMER_MS_MAX));
  const signal = AbortSignal.any([input.signal, budget.signal]);
  const exclusions = exclusionsFor(input.register.sources, input.source.name, input.exclusions);
  try {
    return await new Attempt({ ...input, exclusions, signal }).run();
  } finally {
    clearTimeout(timer);
    await input.reader.close();
  }
};

type Request = Extract<WalkStep['effect'], { type: 'request' }>;

/**
 * Identifiers that an exact lookup sent as a filter of equality, compared by the source no more loosely than here: a row that differs in one
 * of them shows that the filter was not applied. An enumeration reads everything anyway.
 */
const sentExactly = ({ source, register }: Pick<AttemptInput, 'source' | 'register'>): readonly string[] => {
  // The implicit source of a target has no contract.
  const { connect, contract, method } = source as Partial<AttemptInput['source']>;
  if (method !== 'exact-lookup' || connect?.type !== 'http' || contract === undefined) return [];
  const sent = sentValues(connect.request).flatMap(({ value }) => ('identifier' in value ? [value.identifier] : []));
  return sent.filter((name) => {
    const comparison = contract.comparison[name];
    const ours = register.identifiers[name]?.normalise ?? [];
    return comparison?.by === 'equality' && comparison.normalise.every((each) => ours.includes(each));
  });
};

class Attempt {
  private readonly limits: WalkLimits;
  private readonly startedAt: string;
  private readonly sentExactly: readonly string[];
  private walk = startWalk();
  private ids = new IdSet();
  private next: PageResponse['next'] = null;
  private observedAtMs: number;
  private read = { pages: 0, records: 0, bytes: 0, matched: false };
  private endedAt: string;
  private failed: ReadFailure | null = null;

  constructor(private readonly input: AttemptInput) {
    this.limits = walkLimits({ budget: input.limits }, input.source, input.kind);
    this.sentExactly = sentExactly(input);
    this.observedAtMs = monotonicMsOf(input.clock);
    this.startedAt = input.clock.now().toISOString();
    this.endedAt = this.startedAt;
  }

  async run(): Promise<AttemptOutcome> {
    const opened = await this.input.reader.open(this.input.signal);
    if (opened.type === 'failure') this.fail(opened);
    // Bounded by the walk: it ends at the budget's pages, and a failure ends it at once.
    while (this.walk.effect.type === 'request') await this.readOne(this.walk.effect);
    const { stop, doubts } = this.walk.effect;
    return {
      stopReason: stop,
      doubts,
      ...this.read,
      startedAt: this.startedAt,
      endedAt: this.endedAt,
      retryAfterMs: this.failed?.retryAfterMs ?? null,
      detail: this.failed?.detail ?? null,
    };
  }

  private async readOne({ cursor, pass }: Request): Promise<void> {
    const { reader, limits, signal } = this.input;
    if (cursor === null) this.ids = new IdSet();
    const real = cursor === null ? null : this.realCursor(cursor);
    const outcome = await reader.read({ cursor: real, pass, bytesMax: Math.max(limits.bytesMax - this.read.bytes, 1), signal });
    if (outcome.type === 'failure') return this.fail(outcome);
    const compared = await comparePage(outcome.rows, this.input);
    const observation = this.observationOf(outcome, compared);
    this.walk = step(this.walk.state, observation, this.limits);
    this.next = outcome.next;
    const page = this.pageOf(outcome, compared, observation, pass);
    this.count(observation, outcome);
    await this.input.onPage(page);
  }

  private realCursor(fingerprint: string): string {
    if (this.next?.fingerprint !== fingerprint) throw new Error('the walk asks for a cursor that the last page did not give');
    return this.next.cursor;
  }

  private fail(failure: ReadFailure): void {
    this.failed = failure;
    this.endedAt = this.input.clock.now().toISOString();
    const reason: ReasonCode = this.input.signal.aborted ? 'budget-time' : failure.reason;
    this.walk = step(this.walk.state, { type: 'failure', reason, elapsedMs: this.sinceLastMs() }, this.limits);
  }

  private sinceLastMs(): number {
    const now = monotonicMsOf(this.input.clock);
    const elapsedMs = Math.max(now - this.observedAtMs, 0);
    this.observedAtMs = now;
    return elapsedMs;
  }

  private observationOf({ rows, observed, next }: PageResponse, compared: ComparedPage): PageObservation {
    const more: ReasonCode[] = [];
    if (compared.truncated) more.push('truncated');
    if (compared.fieldUnavailable) more.push('field-unavailable');
    if (this.sentExactly.some((name) => compared.differing.has(name))) more.push('filter-not-applied');
    let repeatedIds = 0;
    for (const { recordId } of rows) if (!this.ids.add(recordId)) repeatedIds += 1;
    return {
      type: 'page',
      ...observed,
      records: rows.length,
      elapsedMs: this.sinceLastMs(),
      nextCursor: next?.fingerprint ?? null,
      idsDigest: sha256Hex(JSON.stringify(rows.map(({ recordId }) => recordId))),
      repeatedIds,
      matched: compared.matched,
      reasons: [...new Set([...observed.reasons, ...more])],
    };
  }

  private pageOf(response: PageResponse, compared: ComparedPage, observation: PageObservation, pass: 1 | 2): AttemptPage {
    const { effect } = this.walk;
    return {
      source: this.input.source.name,
      sequence: this.read.pages,
      pass,
      requestFingerprint: response.requestFingerprint,
      cursorFingerprint: response.cursorFingerprint,
      nextCursorFingerprint: observation.nextCursor,
      // Opening may already have fixed what is seen, such as a snapshot.
      startedAt: this.read.pages === 0 ? this.startedAt : response.startedAt,
      endedAt: response.endedAt,
      status: response.status,
      records: observation.records,
      bytes: observation.bytes,
      rowsWithoutKey: compared.rowsWithoutKey,
      end: observation.end,
      stop: effect.type === 'end' ? effect.stop : null,
      doubts: effect.type === 'end' ? [...new Set([...observation.reasons, ...effect.doubts])] : observation.reasons,
      bodySha256: response.bodySha256,
      idsDigest: observation.idsDigest,
      rows: compared.rows,
      remarks: response.remarks,
      ...(response.watermark !== undefined && { watermark: response.watermark }),
    };
  }

  private count(observation: Extract<Observation, { type: 'page' }>, response: PageResponse): void {
    const { pages, records, bytes, matched } = this.read;
    this.endedAt = response.endedAt;
    this.read = {
      pages: pages + 1,
      records: records + observation.records,
      bytes: bytes + observation.bytes,
      matched: matched || observation.matched,
    };
  }
}
