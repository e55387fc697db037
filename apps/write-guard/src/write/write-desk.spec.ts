import type { AuthorisationDecided, QuestionAsked, VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import {
  afterNoon,
  anAuthorisationDecided,
  anEvidenceHold,
  anIdentifier,
  anIntent,
  aMatchReview,
  aQuestionAsked,
  aRegister,
  aRegisterWithTarget,
  aVerdictReached,
  sha256Of,
} from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { PAYLOAD_BYTES_MAX, STALE_RERUNS_MAX } from './judge-write.js';
import { attemptKey, keyName, type OpenAuthorisation, type WantedQuestion, WriteDesk } from './write-desk.js';
import { writeKeyOf } from './write-key.js';

const SEEN_MS = Date.parse(afterNoon(1_000));
const FRESHNESS_MS = 60_000;
const tenantId = 'acme';
const payload = { subject: 'lamp broken' };
const aCreation = anIntent({ kind: 'create', payload, payloadHash: sha256Hex(canonicalJson(payload)) });

interface Given {
  readonly intent?: Partial<QuestionAsked['intent']>;
  readonly question?: Partial<QuestionAsked>;
  readonly wanted?: Partial<WantedQuestion>;
  readonly verdict?: Partial<VerdictReached>;
  readonly register?: Partial<Register>;
  readonly nowMs?: number;
  readonly open?: Partial<OpenAuthorisation>;
  readonly matchSeenToMs?: number;
  readonly permits?: number;
}

/** One question with its verdict, and, where `open` is given, an authorisation that stands on its first no-match. */
function desk({ intent, question, wanted, verdict, register, nowMs = SEEN_MS + 1_000, open, matchSeenToMs, permits = 0 }: Given) {
  const rules = aRegisterWithTarget({ freshnessMs: FRESHNESS_MS, ...register });
  const asked = aQuestionAsked({ tenantId, registerHash: rules.hash, intent: { ...aCreation, ...intent }, ...question });
  const { questionId } = asked;
  const reached = aVerdictReached({ tenantId, questionId, registerHash: rules.hash, ...verdict });
  const { target, keyDigest } = writeKeyOf(rules, asked);
  const first = aVerdictReached({ tenantId, questionId, registerHash: rules.hash });
  const state: WantedQuestion = { asked, newestGeneration: 0, newest: open ? first : null, staleReruns: 0, stalled: false, ...wanted };
  const authorisation: OpenAuthorisation = {
    authorisationId: 'auth-1',
    questionId,
    target,
    keyDigest,
    payloadHash: aCreation.payloadHash ?? '',
    state: 'requested',
    generation: 1,
    seenToMs: SEEN_MS,
    decidedAtMs: Date.parse(first.decidedAt),
    staleReruns: 0,
    approver: null,
    expiresAtMs: SEEN_MS + 3_600_000,
    ...open,
  };
  const made = new WriteDesk({
    nowMs,
    registers: new Map([[reached.registerHash, rules]]),
    questions: new Map([[questionId, state]]),
    authorisations: open ? [authorisation] : [],
    answered: new Set(),
    matchesSeenToMs: new Map(matchSeenToMs === undefined ? [] : [[keyName(target, keyDigest), matchSeenToMs]]),
    permitsOfHour: new Map([[target, permits]]),
  });
  return { desk: made, verdict: reached, authorisation, asked, rules };
}

const outcomeOf = (done: WriteDesk): unknown => ({
  writes: done.writes.length,
  refused: done.refusals.map(({ reason }) => reason),
  reruns: done.reruns.length,
  requested: done.requested.length,
  blocked: done.blocked.length,
});
const nothing = { writes: 0, refused: [], reruns: 0, requested: 0, blocked: 0 };

function judged(given: Given): unknown {
  const { desk: made, verdict } = desk(given);
  made.announce([verdict]);
  made.verdict(verdict);
  return outcomeOf(made);
}

const aHold = { verdict: anEvidenceHold().verdict, asOf: null };
const aMatch = { verdict: aMatchReview().verdict };
const tooLarge = { text: 'x'.repeat(PAYLOAD_BYTES_MAX) };
const stale = SEEN_MS + FRESHNESS_MS + 1;

describe('a verdict judged for a wanted write under policy auto', () => {
  it('opens the gate for the newest, fresh no-match: anything less would refuse every write', () => {
    expect(judged({})).toEqual({ ...nothing, writes: 1 });
  });

  it('says nothing where no write was wanted, whatever the verdict: else a mere question would get answers', () => {
    for (const verdict of [{}, aHold, aMatch]) expect(judged({ intent: { kind: 'none' }, verdict })).toEqual(nothing);
  });

  it.each<[string, Given, string]>([
    ['a match-review: a record is there', { verdict: aMatch }, 'match-review'],
    ['an evidence-hold: a partial search supports nothing', { verdict: aHold }, 'evidence-hold'],
    ['an older generation, though it is a fresh no-match (W3)', { wanted: { newestGeneration: 2 } }, 'superseded'],
    [
      'an accepted doubt: it needs a person',
      { register: { acceptedDoubts: [{ source: 'ledger', doubt: 'drift-possible', owner: 'a', reason: 'b', until: afterNoon(9_999) }] } },
      'doubt-accepted',
    ],
    ['a register without a target', { register: { target: aRegister().target } }, 'no-write-target'],
    [
      'a target of a kind that is not known',
      { register: { target: { name: 'crm', kind: 'elsewhere' as 'own-table', policyId: 'p' } } },
      'target-unsupported',
    ],
    [
      'a system of others that nobody declares what protects',
      { register: { target: { name: 'crm', kind: 'outside', policyId: 'p', sendHorizonMs: 1 } as Register['target'] } },
      'target-unsupported',
    ],
    ['another register version than the one asked', { question: { registerHash: sha256Of('other') } }, 'register-changed'],
    ['intent link', { intent: { kind: 'link' } }, 'intent-unsupported'],
    ['intent close', { intent: { kind: 'close' }, question: { kind: 'gone' } }, 'intent-unsupported'],
    ['a question whether it is gone', { question: { kind: 'gone' } }, 'kind-unsupported'],
    ['a question for all of them', { question: { kind: 'enumerate' } }, 'kind-unsupported'],
    ['intent delete', { intent: { kind: 'delete' }, question: { kind: 'gone' } }, 'intent-unsupported'],
    [
      'intent delete beside a hold: an incomplete listing',
      { intent: { kind: 'delete' }, question: { kind: 'gone' }, verdict: aHold },
      'evidence-hold',
    ],
    ['intent delete beside a match', { intent: { kind: 'delete' }, question: { kind: 'gone' }, verdict: aMatch }, 'match-review'],
    ['intent delete beside a question that passes over reusable records', { intent: { kind: 'delete' } }, 'kind-unsupported'],
    ['a key that was left out', { question: { identifiers: [anIdentifier({ name: 'account' })] } }, 'key-incomplete'],
    ['a key whose normal form is empty', { question: { identifiers: [anIdentifier({ value: '  ' })] } }, 'key-incomplete'],
    ['no payload', { intent: { payload: null } }, 'payload-missing'],
    ['no payload hash', { intent: { payloadHash: null } }, 'payload-missing'],
    ['a payload that is not the one that was hashed', { intent: { payload: { subject: 'other' } } }, 'payload-changed'],
    ['a payload above 64 KiB', { intent: { payload: tooLarge, payloadHash: sha256Hex(canonicalJson(tooLarge)) } }, 'payload-too-large'],
    ['a match of the key that another question saw later than this no-match (W3)', { matchSeenToMs: SEEN_MS + 1 }, 'match-review'],
    [
      'more writes in the hour than the target gets',
      { register: { authorisation: { livesMs: 1, perHourMax: 3 } }, permits: 3 },
      'limit-reached',
    ],
  ])('refuses %s', (_, given, reason) => {
    expect(judged(given)).toEqual({ ...nothing, refused: [reason] });
  });

  it('waits while a delivery is stalled, fresh or not: what was not handled may say otherwise', () => {
    for (const nowMs of [SEEN_MS, stale]) expect(judged({ wanted: { stalled: true }, nowMs })).toEqual({ ...nothing, blocked: 1 });
  });

  it('is fresh up to the last millisecond of freshnessMs and stale after it (W2)', () => {
    expect(judged({ nowMs: SEEN_MS + FRESHNESS_MS })).toEqual({ ...nothing, writes: 1 });
    expect(judged({ nowMs: stale })).toEqual({ ...nothing, reruns: 1 });
  });

  it('asks again at most twice, then refuses: else a slow source would be asked for ever', () => {
    const reruns = [0, 1, STALE_RERUNS_MAX].map((staleReruns) => judged({ wanted: { staleReruns }, nowMs: stale }));
    expect(reruns).toEqual([
      { ...nothing, reruns: 1 },
      { ...nothing, reruns: 1 },
      { ...nothing, refused: ['evidence-expired'] },
    ]);
  });

  it('never writes on a no-match without a boundary: freshness that is not known is not fresh', () => {
    expect(judged({ verdict: { asOf: null } })).toEqual({ ...nothing, reruns: 1 });
  });

  it('answers a generation once, whatever is repeated (W4)', () => {
    const { desk: made, verdict } = desk({});
    made.announce([verdict, verdict]);
    made.verdict(verdict);
    made.verdict(verdict);
    expect(outcomeOf(made)).toEqual({ ...nothing, writes: 1 });
  });

  // Fails if an older match of the batch hides a later one that is stored.
  it('is refused for the latest match of the key, whichever came last', () => {
    const { desk: made, verdict, asked, rules } = desk({ matchSeenToMs: SEEN_MS + 1 });
    const questions = (made as unknown as { input: { questions: Map<string, WantedQuestion> } }).input.questions;
    const other = aQuestionAsked({ ...asked, questionId: 'other', registerHash: rules.hash, intent: anIntent({ kind: 'none' }) });
    questions.set('other', { asked: other, newestGeneration: 1, newest: null, staleReruns: 0, stalled: false });
    made.verdict({ ...verdict, ...aMatch, questionId: 'other', boundaries: [{ source: 'ledger', boundary: afterNoon(500) }] });
    made.verdict(verdict);
    expect(outcomeOf(made)).toEqual({ ...nothing, refused: ['match-review'] });
  });

  // Fails if "is it gone?" answered by a cancelled record stops a creation that the register allows beside it; or if an open one does not.
  it.each([
    ['cancelled', { ...nothing, writes: 1 }],
    ['open', { ...nothing, refused: ['match-review'] }],
  ])('is told of a record that another question saw still there, if its status stands against a creation: %s', (status, outcome) => {
    const { desk: made, verdict, asked, rules } = desk({ register: { status: { reusable: ['cancelled'], follow: [] } } });
    const questions = (made as unknown as { input: { questions: Map<string, WantedQuestion> } }).input.questions;
    const gone = aQuestionAsked({
      ...asked,
      kind: 'gone',
      questionId: 'gone',
      registerHash: rules.hash,
      intent: anIntent({ kind: 'none' }),
    });
    questions.set('gone', { asked: gone, newestGeneration: 1, newest: null, staleReruns: 0, stalled: false });
    const boundaries = [{ source: 'ledger', boundary: afterNoon(2_000) }];
    const [match] = aMatchReview().matches;
    if (!match) throw new Error('a match-review names its match');
    made.verdict({ ...verdict, ...aMatch, matches: [{ ...match, status }], questionId: 'gone', boundaries });
    made.verdict(verdict);
    expect(outcomeOf(made)).toEqual(outcome);
  });

  it('knows a match of the same batch, though it is not stored yet', () => {
    const { desk: made, verdict, asked, rules } = desk({});
    const match = aMatchReview({
      ...verdict,
      questionId: 'other',
      generation: 1,
      boundaries: [{ source: 'ledger', boundary: afterNoon(2_000) }],
    });
    const questions = (made as unknown as { input: { questions: Map<string, WantedQuestion> } }).input.questions;
    const other = aQuestionAsked({ ...asked, questionId: 'other', registerHash: rules.hash, intent: anIntent({ kind: 'none' }) });
    questions.set('other', { asked: other, newestGeneration: 1, newest: null, staleReruns: 0, stalled: false });
    made.verdict({ ...match, verdict: 'match-review' });
    made.verdict(verdict);
    expect(outcomeOf(made)).toEqual({ ...nothing, refused: ['match-review'] });
  });
});

describe.each(['manual', 'four-eyes'] as const)('under policy %s', (policy) => {
  const register = { policy };
  const decide = (given: Given, decision: Partial<AuthorisationDecided> = {}) => {
    const made = desk({ register, open: {}, ...given });
    made.desk.decided(
      anAuthorisationDecided({
        authorisationId: 'auth-1',
        payloadHash: made.authorisation.payloadHash,
        principal: 'approver',
        ...decision,
      }),
    );
    return { ...made, outcome: outcomeOf(made.desk) };
  };

  it('a no-match asks a person, and writes nothing (W3)', () => {
    for (const nowMs of [SEEN_MS, stale]) expect(judged({ register, nowMs })).toEqual({ ...nothing, requested: 1 });
  });

  it('an approval writes on the fresh no-match, and uses the authorisation', () => {
    const { outcome, authorisation } = decide({});
    expect([outcome, authorisation.state, authorisation.approver]).toEqual([{ ...nothing, writes: 1 }, 'used', 'approver']);
  });

  it('an approval of a stale no-match asks again, and stands meanwhile (W2)', () => {
    const { outcome, authorisation } = decide({ nowMs: stale });
    expect([outcome, authorisation.state]).toEqual([{ ...nothing, reruns: 1 }, 'approved']);
  });

  it('an approval of another payload, or of what is over, changes nothing', () => {
    expect(decide({}, { payloadHash: sha256Of('other') }).outcome).toEqual(nothing);
    expect(decide({ open: { state: 'used' } }).outcome).toEqual(nothing);
  });

  it('a refusal by the approver is the answer', () => {
    expect(decide({}, { decision: 'declined' }).outcome).toEqual({ ...nothing, refused: ['declined'] });
  });

  it('time ends it: an approval that comes too late is none', () => {
    const { outcome, authorisation } = decide({ open: { expiresAtMs: SEEN_MS } });
    expect([outcome, authorisation.state]).toEqual([{ ...nothing, refused: ['authorisation-expired'] }, 'ended']);
    const { desk: made } = desk({ register, open: { expiresAtMs: SEEN_MS } });
    made.expired('auth-1');
    expect(outcomeOf(made)).toEqual({ ...nothing, refused: ['authorisation-expired'] });
    const early = desk({ register, open: {} });
    early.desk.expired('auth-1');
    expect(outcomeOf(early.desk)).toEqual(nothing);
  });

  it.each(['requested', 'approved'] as const)('a later hold suspends one that is %s until the next no-match (W3)', (state) => {
    const { desk: made, verdict, authorisation } = desk({ register, open: { state }, verdict: { ...aHold, generation: 2 } });
    made.verdict(verdict);
    expect([outcomeOf(made), authorisation.state]).toEqual([nothing, `${state}-suspended`]);
    made.verdict({ ...verdict, generation: 3, verdict: 'scoped-no-match', asOf: afterNoon(1_000) });
    expect(outcomeOf(made)).toEqual(state === 'approved' ? { ...nothing, writes: 1 } : nothing);
    expect(authorisation.state).toBe(state === 'approved' ? 'used' : 'requested');
  });

  it('a match ends it: nothing is written on what was once not found (W3)', () => {
    const { desk: made, verdict, authorisation } = desk({ register, open: { state: 'approved' }, verdict: { ...aMatch, generation: 2 } });
    made.verdict(verdict);
    expect([outcomeOf(made), authorisation.state]).toEqual([{ ...nothing, refused: ['match-review'] }, 'ended']);
  });

  it.each([
    ['later than the no-match ends it', 2_000, ['match-review'], 'ended'],
    ['as old as the no-match leaves it', 1_000, [], 'approved'],
  ] as const)('a match that another question saw %s (W3)', (_, boundaryMs, refused, state) => {
    const { desk: made, verdict, authorisation, asked, rules } = desk({ register, open: { state: 'approved' } });
    const questions = (made as unknown as { input: { questions: Map<string, WantedQuestion> } }).input.questions;
    const other = aQuestionAsked({ ...asked, questionId: 'other', registerHash: rules.hash, intent: anIntent({ kind: 'none' }) });
    questions.set('other', { asked: other, newestGeneration: 1, newest: null, staleReruns: 0, stalled: false });
    made.verdict({ ...verdict, ...aMatch, questionId: 'other', boundaries: [{ source: 'ledger', boundary: afterNoon(boundaryMs) }] });
    expect([outcomeOf(made), authorisation.state]).toEqual([{ ...nothing, refused }, state]);
  });

  it('a stalled delivery keeps an approval back until it is cleared', () => {
    const { outcome, authorisation } = decide({ wanted: { stalled: true } });
    expect([outcome, authorisation.state]).toEqual([nothing, 'approved']);
    const { desk: made } = desk({ register, open: { state: 'approved' } });
    made.lookAgain(authorisation.questionId);
    const own = desk({ register, open: { state: 'approved' } });
    own.desk.lookAgain(own.asked.questionId);
    expect(outcomeOf(own.desk)).toEqual({ ...nothing, writes: 1 });
  });
});

it('under four-eyes the asker approves nothing of its own', () => {
  const asked = { principal: 'agent:intake' };
  const made = desk({ register: { policy: 'four-eyes' }, open: {}, question: asked });
  made.desk.decided(
    anAuthorisationDecided({ authorisationId: 'auth-1', payloadHash: made.authorisation.payloadHash, principal: 'agent:intake' }),
  );
  expect(outcomeOf(made.desk)).toEqual(nothing);
});

it('an attempt is named by question and generation', () => {
  expect(attemptKey({ questionId: 'q', generation: 1 })).not.toBe(attemptKey({ questionId: 'q', generation: 11 }));
});
