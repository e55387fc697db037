/** Fails if a record may be closed or deleted because some listing, cut short, did not show it. */
import type { QuestionAsked, VerdictReached } from '@lacuna/events';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import {
  afterNoon,
  anEvidenceHold,
  anExceptionGranted,
  aMatchReview,
  anIntent,
  aNamedRecord,
  aQuestionAsked,
  aRegisterWithTarget,
  aVerdictReached,
} from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { exceptionRefusalOf } from './judge-write.js';
import { removalRefusalOf } from './judge-removal.js';

const payload = { reason: 'left' };
const register = aRegisterWithTarget({});
const asking = (kind: QuestionAsked['kind']) =>
  aQuestionAsked({ kind, intent: anIntent({ kind: 'delete', payload, payloadHash: sha256Hex(canonicalJson(payload)) }) });
const noMatch = aVerdictReached({});
const holdFor = (code: string) => anEvidenceHold({ reasons: [{ code, source: 'ledger' }] });

/** What scripts do: not in the answer, so delete it. */
const naiveRefusalOf = ({ matches }: VerdictReached): string | null => (matches.length > 0 ? 'match-review' : null);

describe('what was read supports closing or deleting', () => {
  // Fails if the gate is shut whatever was read: people switch off what never opens.
  it.each(['gone', 'enumerate'] as const)('a complete answer to "%s" without a match does', (kind) => {
    expect(removalRefusalOf(asking(kind), noMatch, register)).toBeNull();
  });

  it.each([
    ['an incomplete listing', 'timed-out'],
    ['a filter that was not applied', 'filter-not-applied'],
  ])('%s does not, and the naive rule would have deleted', (_, code) => {
    expect(removalRefusalOf(asking('gone'), holdFor(code), register)).toBe('evidence-hold');
    expect(naiveRefusalOf(holdFor(code))).toBeNull();
  });

  it('a record that another path found does not', () => {
    const found = aMatchReview({ matches: [aNamedRecord()] });
    expect(removalRefusalOf(asking('gone'), found, register)).toBe('match-review');
  });

  it('"exists" does not: it passes over cancelled records, which are still there', () => {
    expect(removalRefusalOf(asking('exists'), noMatch, register)).toBe('kind-unsupported');
  });

  // Fails if one of the signals beside the verdict is not looked at.
  it.each<[string, Partial<VerdictReached>]>([
    ['partial', { partial: true }],
    ['of recent records unavailable', { coverage: 'recent_unavailable' }],
    ['clamped at its beginning', { fromClamped: true }],
  ])('a no-match that is told as %s does not', (_, changes) => {
    expect(removalRefusalOf(asking('gone'), { ...noMatch, ...changes }, register)).toBe('evidence-hold');
  });

  it('a doubt that the register accepts by name does not: it was accepted for creations', () => {
    const accepted = { source: 'ledger', doubt: 'drift-possible' as const, owner: 'a', reason: 'b', until: afterNoon(9_999) };
    const accepting = aRegisterWithTarget({ acceptedDoubts: [accepted] });
    expect(removalRefusalOf(asking('gone'), noMatch, accepting)).toBe('doubt-accepted');
  });

  // Fails if a person may accept a partial listing for a removal: what an exception lets pass for a creation is passed on.
  it('an exception for a hold does not, even where a doubt is accepted by name', () => {
    const accepted = { source: 'ledger', doubt: 'drift-possible' as const, owner: 'a', reason: 'b', until: afterNoon(9_999) };
    const hold = holdFor('timed-out');
    for (const acceptedDoubts of [[], [accepted]]) {
      const rules = aRegisterWithTarget({ acceptedDoubts });
      const asked = { ...asking('gone'), registerHash: rules.hash };
      const verdict = { ...hold, registerHash: rules.hash };
      const exception = anExceptionGranted({
        receiptHash: verdict.receiptHash,
        payloadHash: asked.intent.payloadHash ?? '',
        expiresAt: afterNoon(9_999_999),
      });
      expect(exceptionRefusalOf({ asked, verdict, register: rules }, exception, Date.parse(afterNoon(1)))).toBe('evidence-hold');
    }
  });
});
