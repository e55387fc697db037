/**
 * One batch's happenings, judged in log order over what is known of its questions and keys. Pure: the working set is loaded before and
 * recorded after, in the same transaction and under the keys' locks.
 */
import type { AuthorisationDecided, ExceptionGranted, QuestionAsked, VerdictReached } from '@lacuna/events';
import { parseInstant, type Register } from '@lacuna/evidence';
import { digestOf } from './digest-of.js';
import { exceptionRefusalOf, isReceiptFresh, STALE_RERUNS_MAX, standsAgainstCreation, staticRefusalOf } from './judge-write.js';
import { stepWrite, type WriteEvent, type WriteState } from './write-machine.js';
import { writeKeyOf } from './write-key.js';

export interface WantedQuestion {
  readonly asked: QuestionAsked;
  newestGeneration: number;
  /** Of the newest generation; null: none was reached yet. */
  newest: VerdictReached | null;
  staleReruns: number;
  /** A message of the question lies in a dead-letter topic. */
  readonly stalled: boolean;
}

/** One that is not over. */
export interface OpenAuthorisation {
  readonly authorisationId: string;
  readonly questionId: string;
  readonly target: string;
  readonly keyDigest: string;
  readonly payloadHash: string;
  state: Exclude<WriteState, 'unasked' | 'unasked-auto'> | 'used' | 'ended';
  generation: number;
  /** `asOf` and time of the no-match that it stands on, ms. */
  seenToMs: number | null;
  decidedAtMs: number;
  staleReruns: number;
  approver: string | null;
  readonly expiresAtMs: number;
}

export interface Attempt {
  readonly verdict: VerdictReached;
  readonly register: Register;
  readonly asked: QuestionAsked;
  /** Null: policy auto, which is made with the permit. */
  readonly authorisationId: string | null;
  /** The exception that stands in the place of a no-match. */
  readonly exception?: ExceptionGranted;
}

export interface DeskInput {
  readonly nowMs: number;
  readonly registers: ReadonlyMap<string, Register>;
  readonly questions: ReadonlyMap<string, WantedQuestion>;
  readonly authorisations: readonly OpenAuthorisation[];
  /** `question/generation` of attempts that have their answer. */
  readonly answered: ReadonlySet<string>;
  /** Latest boundary of a match, by key, ms. */
  readonly matchesSeenToMs: ReadonlyMap<string, number>;
  /** Permits of the last hour, by target. */
  readonly permitsOfHour: ReadonlyMap<string, number>;
}

export interface Refusal {
  readonly attempt: Attempt;
  readonly reason: string;
}

export const attemptKey = (attempt: { readonly questionId: string; readonly generation: number }): string =>
  JSON.stringify([attempt.questionId, attempt.generation]);
export const keyName = (target: string, keyDigest: string): string => JSON.stringify([target, keyDigest]);

const REFUSED_BY: Partial<Record<WriteEvent, string>> = {
  match: 'match-review',
  hold: 'evidence-hold',
  'match-elsewhere': 'match-review',
  declined: 'declined',
  expired: 'authorisation-expired',
};

export class WriteDesk {
  readonly writes: Attempt[] = [];
  readonly refusals: Refusal[] = [];
  readonly reruns: Attempt[] = [];
  /** Asked of a person now. */
  readonly requested: { readonly attempt: Attempt; readonly authorisation: OpenAuthorisation }[] = [];
  /** Wait until their question's stalled delivery is cleared. */
  readonly blocked: VerdictReached[] = [];
  readonly changed = new Set<OpenAuthorisation>();
  readonly staleReruns = new Map<string, number>();
  readonly matchesSeen = new Map<string, { readonly target: string; readonly keyDigest: string; readonly seenToMs: number }>();
  readonly #answered: Set<string>;
  readonly #permits: Map<string, number>;

  constructor(private readonly input: DeskInput) {
    this.#answered = new Set(input.answered);
    this.#permits = new Map(input.permitsOfHour);
  }

  /** Before the first of them is judged: only the newest generation's receipt opens a permit, also within one batch (W3). */
  announce(verdicts: readonly VerdictReached[]): void {
    for (const { questionId, generation } of verdicts) {
      const question = this.input.questions.get(questionId);
      if (question) question.newestGeneration = Math.max(question.newestGeneration, generation);
    }
  }

  verdict(verdict: VerdictReached): void {
    const { question, register } = this.#of(verdict.questionId, verdict.registerHash);
    if (!question || !register) return;
    const isNewest = verdict.generation >= question.newestGeneration;
    if (isNewest) question.newest = verdict;
    this.#tellOthers(question, verdict, register);
    if (question.asked.intent.kind === 'none') return;
    const authorisation = this.#open(verdict.questionId);
    const attempt = { verdict, register, asked: question.asked, authorisationId: authorisation?.authorisationId ?? null };
    if (!authorisation && this.#answered.has(attemptKey(verdict))) return;
    const refusal = staticRefusalOf(question.asked, verdict, register);
    if (refusal !== null || !isNewest) {
      if (!authorisation) this.#refuse(attempt, refusal ?? 'superseded');
      return;
    }
    this.#apply(attempt, eventOf(verdict, this.#isFresh(attempt)), authorisation);
  }

  decided(decision: AuthorisationDecided): void {
    const authorisation = this.#byId(decision.authorisationId);
    const attempt = authorisation && this.#newestAttempt(authorisation);
    if (!authorisation || !attempt || decision.payloadHash !== authorisation.payloadHash) return;
    if (decision.decision === 'declined') return this.#apply(attempt, 'declined', authorisation);
    // The approver is somebody else than the asker (four-eyes); gateway says so before, nothing depends on it.
    if (attempt.register.policy === 'four-eyes' && decision.principal === attempt.asked.principal) return;
    authorisation.approver = decision.principal;
    this.changed.add(authorisation);
    const mayWrite = this.#isFresh(attempt) && attempt.verdict.verdict === 'scoped-no-match';
    this.#apply(attempt, mayWrite ? 'approved-fresh' : 'approved-stale', authorisation);
  }

  /** A person accepts the risk of a hold. False: its verdict is not here yet, or a delivery of its question is stalled. */
  excepted(exception: ExceptionGranted): boolean {
    const question = this.input.questions.get(exception.questionId);
    const register = question?.newest ? this.input.registers.get(question.newest.registerHash) : undefined;
    if (!question?.newest || !register || question.stalled || question.newestGeneration < exception.generation) return false;
    const { exceptionId: authorisationId } = exception;
    const attempt: Attempt = { verdict: question.newest, register, asked: question.asked, authorisationId, exception };
    const refused = exceptionRefusalOf(attempt, exception, this.input.nowMs);
    if (refused === null) this.#write(attempt, null);
    else this.#refuse(attempt, refused);
    return true;
  }

  expired(authorisationId: string): void {
    const authorisation = this.#byId(authorisationId);
    const attempt = authorisation && this.#newestAttempt(authorisation);
    if (authorisation && attempt && this.input.nowMs >= authorisation.expiresAtMs) this.#apply(attempt, 'expired', authorisation);
  }

  /** A stalled delivery was cleared: what was approved meanwhile may be written now. */
  lookAgain(questionId: string): void {
    const authorisation = this.#open(questionId);
    const attempt = authorisation && this.#newestAttempt(authorisation);
    if (!authorisation || !attempt || authorisation.state !== 'approved') return;
    this.#apply(attempt, eventOf(attempt.verdict, this.#isFresh(attempt)), authorisation);
  }

  #apply(attempt: Attempt, event: WriteEvent, authorisation: OpenAuthorisation | null): void {
    const expired = authorisation !== null && this.input.nowMs >= authorisation.expiresAtMs;
    const happened: WriteEvent = expired && event !== 'match' && event !== 'declined' ? 'expired' : event;
    const state = authorisation?.state ?? (attempt.register.policy === 'auto' ? 'unasked-auto' : 'unasked');
    if (state === 'used' || state === 'ended') return;
    const { move, next } = stepWrite(state, happened);
    if (authorisation && move !== 'nothing') this.#move(authorisation, next, happened, attempt);
    if (move === 'write') this.#write(attempt, authorisation);
    else if (move === 'request') this.#request(attempt);
    else if (move === 'ask-again') this.#askAgain(attempt, authorisation);
    else if (move === 'refuse') this.#refuse(attempt, REFUSED_BY[happened] ?? 'refused');
  }

  #move(authorisation: OpenAuthorisation, next: WriteState, event: WriteEvent, { verdict }: Attempt): void {
    authorisation.state = next === 'unasked' || next === 'unasked-auto' ? 'ended' : next;
    if (event === 'fresh-no-match' || event === 'stale-no-match') Object.assign(authorisation, standsOn(verdict));
    this.changed.add(authorisation);
  }

  /** The last looks before a permit: nothing is stalled, no later match of the key was seen, and the hour's limit is not reached. */
  #write(attempt: Attempt, authorisation: OpenAuthorisation | null): void {
    const { asked, register, verdict } = attempt;
    if (this.#isBlocked(attempt, authorisation)) return;
    const { target, keyDigest } = writeKeyOf(register, asked);
    // A hold has no moment up to which it saw; an exception is from a person who knows what was seen when it was decided.
    const seenTo = attempt.exception ? verdict.decidedAt : verdict.asOf;
    if (this.#matchSeenToMs(keyName(target, keyDigest)) > (parseInstant(seenTo) ?? -Infinity)) return this.#refuse(attempt, 'match-review');
    const permits = this.#permits.get(target) ?? 0;
    if (permits >= (register.authorisation?.perHourMax ?? Infinity)) return this.#refuse(attempt, 'limit-reached');
    this.#permits.set(target, permits + 1);
    if (authorisation) authorisation.state = 'used';
    this.#answered.add(attemptKey(verdict));
    this.writes.push(attempt);
  }

  /** What was not handled may say otherwise: nothing is written or asked for before the stalled delivery is cleared. */
  #isBlocked({ asked, verdict }: Attempt, authorisation: OpenAuthorisation | null): boolean {
    if (!this.input.questions.get(asked.questionId)?.stalled) return false;
    if (authorisation) authorisation.state = 'approved';
    else this.blocked.push(verdict);
    return true;
  }

  #request(attempt: Attempt): void {
    const { asked, register, verdict } = attempt;
    const { target, keyDigest } = writeKeyOf(register, asked);
    const authorisation: OpenAuthorisation = {
      authorisationId: authorisationIdOf(verdict),
      questionId: asked.questionId,
      target,
      keyDigest,
      payloadHash: asked.intent.payloadHash as string,
      state: 'requested',
      ...standsOn(verdict),
      staleReruns: 0,
      approver: null,
      expiresAtMs: this.input.nowMs + (register.authorisation?.livesMs ?? AUTHORISATION_LIVES_MS),
    };
    this.#new.push(authorisation);
    this.requested.push({ attempt: { ...attempt, authorisationId: authorisation.authorisationId }, authorisation });
  }

  #askAgain(attempt: Attempt, authorisation: OpenAuthorisation | null): void {
    if (this.#isBlocked(attempt, authorisation)) return;
    const { questionId } = attempt.asked;
    const question = this.input.questions.get(questionId);
    const reruns = authorisation?.staleReruns ?? question?.staleReruns ?? 0;
    if (reruns >= STALE_RERUNS_MAX) {
      if (authorisation) authorisation.state = 'ended';
      return this.#refuse(attempt, 'evidence-expired');
    }
    if (authorisation) authorisation.staleReruns = reruns + 1;
    else if (question) {
      question.staleReruns = reruns + 1;
      this.staleReruns.set(questionId, reruns + 1);
    }
    this.#answered.add(attemptKey(attempt.verdict));
    this.reruns.push(attempt);
  }

  #refuse(attempt: Attempt, reason: string): void {
    this.#answered.add(attemptKey(attempt.verdict));
    this.refusals.push({ attempt, reason });
  }

  /** A match of the key that was seen later than the no-match ends what stands on it; a later hold suspends it (A2). */
  #tellOthers(question: WantedQuestion, verdict: VerdictReached, register: Register): void {
    if (!register.target || verdict.verdict === 'scoped-no-match') return;
    const { target, keyDigest, isComplete } = writeKeyOf(register, question.asked);
    if (!isComplete) return;
    const isMatch = verdict.verdict === 'match-review';
    if (isMatch && !standsAgainstCreation(question.asked, verdict, register)) return;
    const seenToMs = isMatch ? matchSeenTo(verdict) : 0;
    if (isMatch) {
      const name = keyName(target, keyDigest);
      this.matchesSeen.set(name, { target, keyDigest, seenToMs: Math.max(this.#matchSeenToMs(name), seenToMs) });
    }
    for (const other of this.#all()) {
      if (other.target !== target || other.keyDigest !== keyDigest || other.questionId === verdict.questionId) continue;
      const attempt = this.#newestAttempt(other);
      const isLater = isMatch
        ? other.seenToMs === null || seenToMs > other.seenToMs
        : (parseInstant(verdict.decidedAt) ?? Infinity) > other.decidedAtMs;
      if (attempt && isLater) this.#apply(attempt, isMatch ? 'match-elsewhere' : 'hold-elsewhere', other);
    }
  }

  /** The latest that a match of the key was seen, in this batch or before it. */
  #matchSeenToMs(name: string): number {
    return this.matchesSeen.get(name)?.seenToMs ?? this.input.matchesSeenToMs.get(name) ?? -Infinity;
  }

  readonly #new: OpenAuthorisation[] = [];

  #all(): readonly OpenAuthorisation[] {
    return [...this.input.authorisations, ...this.#new].filter(({ state }) => state !== 'used' && state !== 'ended');
  }

  #open(questionId: string): OpenAuthorisation | null {
    return this.#all().find((authorisation) => authorisation.questionId === questionId) ?? null;
  }

  #byId(authorisationId: string): OpenAuthorisation | null {
    return this.#all().find((authorisation) => authorisation.authorisationId === authorisationId) ?? null;
  }

  #newestAttempt({ questionId, authorisationId }: OpenAuthorisation): Attempt | null {
    const question = this.input.questions.get(questionId);
    const register = question?.newest ? this.input.registers.get(question.newest.registerHash) : undefined;
    return question?.newest && register ? { verdict: question.newest, register, asked: question.asked, authorisationId } : null;
  }

  #of(questionId: string, registerHash: string) {
    return { question: this.input.questions.get(questionId), register: this.input.registers.get(registerHash) };
  }

  #isFresh({ verdict, register }: Attempt): boolean {
    return isReceiptFresh(verdict, register, this.input.nowMs);
  }
}

/** A day, where the register does not say how long a person may take. */
export const AUTHORISATION_LIVES_MS = 86_400_000;

const eventOf = ({ verdict }: VerdictReached, fresh: boolean): WriteEvent => {
  if (verdict === 'match-review') return 'match';
  if (verdict === 'evidence-hold') return 'hold';
  return fresh ? 'fresh-no-match' : 'stale-no-match';
};

const standsOn = (verdict: VerdictReached) => ({
  generation: verdict.generation,
  seenToMs: parseInstant(verdict.asOf),
  decidedAtMs: parseInstant(verdict.decidedAt) ?? 0,
});

/** The latest boundary of its sources; of a match whose sources have none, the moment at which it was decided: it cannot be older. */
const matchSeenTo = (verdict: VerdictReached): number => {
  const boundaries = verdict.boundaries.map(({ boundary }) => parseInstant(boundary)).filter((boundary) => boundary !== null);
  return boundaries.length > 0 ? Math.max(...boundaries) : (parseInstant(verdict.decidedAt) ?? Infinity);
};

export const authorisationIdOf = ({ tenantId, questionId, generation }: VerdictReached): string =>
  `auth_${digestOf(tenantId, questionId, generation)}`;
