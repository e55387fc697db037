import type { QuestionAsked, VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import {
  afterNoon,
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
import { judgeWrite, PAYLOAD_BYTES_MAX, STALE_RERUNS_MAX, type WantedWrite, type WriteJudgement } from './judge-write.js';

const SEEN_MS = Date.parse(afterNoon(1_000));
const FRESHNESS_MS = 60_000;

interface Case {
  readonly intent?: Partial<QuestionAsked['intent']>;
  readonly question?: Partial<QuestionAsked>;
  readonly wanted?: Partial<WantedWrite>;
  readonly verdict?: Partial<VerdictReached>;
  readonly register?: Partial<Register>;
  readonly nowMs?: number;
}

const payload = { subject: 'lamp broken' };
const aCreation = anIntent({ kind: 'create', payload, payloadHash: sha256Hex(canonicalJson(payload)) });

function judged({ intent, question, wanted, verdict, register, nowMs = SEEN_MS + 1_000 }: Case): WriteJudgement {
  const rules = aRegisterWithTarget({ freshnessMs: FRESHNESS_MS, ...register });
  const asked = aQuestionAsked({ registerHash: rules.hash, intent: { ...aCreation, ...intent }, ...question });
  const state = { asked, newestGeneration: 1, staleReruns: 0, stalled: false, ...wanted };
  return judgeWrite(state, aVerdictReached({ registerHash: rules.hash, ...verdict }), rules, nowMs);
}

const refused = (reason: string): WriteJudgement => ({ type: 'refuse', reason });
const aHold = { verdict: anEvidenceHold().verdict, asOf: null };
const aMatch = { verdict: aMatchReview().verdict };
const tooLarge = { text: 'x'.repeat(PAYLOAD_BYTES_MAX) };

describe('a verdict judged for a wanted write', () => {
  it('opens the gate for the newest, fresh no-match under policy auto: anything less would refuse every write', () => {
    expect(judged({})).toEqual({ type: 'write' });
  });

  it('says nothing where no write was wanted, whatever the verdict: else a mere question would get answers', () => {
    for (const verdict of [{}, aHold, aMatch]) expect(judged({ intent: { kind: 'none' }, verdict })).toEqual({ type: 'nothing' });
  });

  it.each<[string, Case, string]>([
    ['a match-review: a record is there', { verdict: aMatch }, 'match-review'],
    ['an evidence-hold: a partial search supports nothing', { verdict: aHold }, 'evidence-hold'],
    ['an older generation, though it is a fresh no-match (W3)', { wanted: { newestGeneration: 2 } }, 'superseded'],
    ['policy manual: a verdict alone never authorises (W3)', { register: { policy: 'manual' } }, 'authorisation-missing'],
    ['policy four-eyes: a verdict alone never authorises (W3)', { register: { policy: 'four-eyes' } }, 'authorisation-missing'],
    [
      'an accepted doubt: it needs a person',
      { register: { acceptedDoubts: [{ source: 'ledger', doubt: 'drift-possible', owner: 'a', reason: 'b', until: afterNoon(9_999) }] } },
      'doubt-accepted',
    ],
    ['a register without a target', { register: { target: aRegister().target } }, 'no-write-target'],
    [
      'a target of a kind that is not built',
      { register: { target: { name: 'crm', kind: 'outside' as 'own-table', policyId: 'p' } } },
      'target-unsupported',
    ],
    ['another register version than the one asked', { question: { registerHash: sha256Of('other') } }, 'register-changed'],
    ['a verdict on another register version', { verdict: { registerHash: sha256Of('other') } }, 'register-changed'],
    ['intent link', { intent: { kind: 'link' } }, 'intent-unsupported'],
    ['intent close', { intent: { kind: 'close' } }, 'intent-unsupported'],
    ['intent delete', { intent: { kind: 'delete' } }, 'intent-unsupported'],
    ['a key that was left out', { question: { identifiers: [anIdentifier({ name: 'account' })] } }, 'key-incomplete'],
    ['a key whose normal form is empty', { question: { identifiers: [anIdentifier({ value: '  ' })] } }, 'key-incomplete'],
    ['no payload', { intent: { payload: null } }, 'payload-missing'],
    ['no payload hash', { intent: { payloadHash: null } }, 'payload-missing'],
    ['a payload that is not the one that was hashed', { intent: { payload: { subject: 'other' } } }, 'payload-changed'],
    ['a payload above 64 KiB', { intent: { payload: tooLarge, payloadHash: sha256Hex(canonicalJson(tooLarge)) } }, 'payload-too-large'],
  ])('refuses %s', (_, given, reason) => {
    expect(judged(given)).toEqual(refused(reason));
    expect(judged({ ...given, wanted: { ...given.wanted, stalled: true } }), 'a stalled delivery hides no refusal').toEqual(
      refused(reason),
    );
  });

  it('waits while a delivery is stalled, fresh or not: what was not handled may say otherwise', () => {
    for (const nowMs of [SEEN_MS, SEEN_MS + FRESHNESS_MS + 1])
      expect(judged({ wanted: { stalled: true }, nowMs })).toEqual({ type: 'wait' });
  });

  it('is fresh up to the last millisecond of freshnessMs and stale after it (W2)', () => {
    expect(judged({ nowMs: SEEN_MS + FRESHNESS_MS })).toEqual({ type: 'write' });
    expect(judged({ nowMs: SEEN_MS + FRESHNESS_MS + 1 })).toEqual({ type: 'ask-again', staleReruns: 1 });
  });

  it('asks again at most twice, then refuses: else a slow source would be asked for ever', () => {
    const stale = (staleReruns: number) => judged({ wanted: { staleReruns }, nowMs: SEEN_MS + FRESHNESS_MS + 1 });
    expect([0, 1, 2].map(stale)).toEqual([
      { type: 'ask-again', staleReruns: 1 },
      { type: 'ask-again', staleReruns: STALE_RERUNS_MAX },
      refused('evidence-expired'),
    ]);
  });

  it('never writes on a no-match without a boundary: freshness that is not known is not fresh', () => {
    expect(judged({ verdict: { asOf: null } })).toEqual({ type: 'ask-again', staleReruns: 1 });
  });
});
