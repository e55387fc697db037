import { describe, expect, it } from 'vitest';
import { aHold, aMatch, aReceiptInput, aWalk } from '../test/a-receipt.js';
import { contradictionIn } from './receipt-contradiction.js';

const acceptedDrift = {
  code: 'drift-possible',
  source: 'tickets',
  owner: 'ops',
  reason: 'small table',
  expiresAt: '2026-12-31T00:00:00.000Z',
};

describe('a receipt that agrees with itself', () => {
  // Fails if a sound verdict is blocked at the signer: a needless hold.
  it.each([
    ['a no-match after every deciding source signalled its end', aReceiptInput()],
    ['a no-match whose asOf is needsAsOf', aReceiptInput({ boundary: { asOf: aReceiptInput().boundary.needsAsOf } })],
    ['a match although the rest is unread', aReceiptInput({ verdict: { verdict: 'match-review', partial: true, matches: [aMatch] } })],
    ['a hold with reason and owner', aReceiptInput({ verdict: aHold, boundary: { asOf: null } })],
    [
      'a no-match with a doubt that the register accepts',
      aReceiptInput({ traversal: { sources: [aWalk({ doubts: ['drift-possible'] })], acceptedDoubts: [acceptedDrift] } }),
    ],
    [
      'a no-match whose candidates source failed',
      aReceiptInput({
        method: {
          sources: [
            ...aReceiptInput().method.sources,
            { source: 'search', role: 'candidates', authority: 'copy', method: 'approximate', filters: {} },
          ],
        },
      }),
    ],
    ['a count of a complete enumeration', aReceiptInput({ question: { kind: 'enumerate' }, verdict: { count: 0 } })],
  ])('is %s', (_name, input) => expect(contradictionIn(input)).toBeNull());
});

describe('a receipt that contradicts itself', () => {
  // Each fails if a mistake in the core or in its caller reaches a signed receipt: above all "does not exist" without support.
  it.each([
    ['no end (V1)', 'did not signal its end', aReceiptInput({ traversal: { sources: [aWalk({ stopReason: 'budget-pages' })] } })],
    [
      'one walk of two without an end (V1)',
      'did not signal its end',
      aReceiptInput({ traversal: { sources: [aWalk(), aWalk({ stopReason: 'timed-out' })] } }),
    ],
    [
      'an open doubt (V2)',
      'in doubt',
      aReceiptInput({ traversal: { sources: [aWalk({ doubts: ['order-unproven'] })], acceptedDoubts: [acceptedDrift] } }),
    ],
    [
      'a doubt accepted for another source',
      'in doubt',
      aReceiptInput({
        traversal: { sources: [aWalk({ doubts: ['drift-possible'] })], acceptedDoubts: [{ ...acceptedDrift, source: 'archive' }] },
      }),
    ],
    ['a lost source (V2)', 'without a reading', aReceiptInput({ traversal: { sources: [] } })],
    ['no deciding source', 'without a deciding source', aReceiptInput({ method: { sources: [] } })],
    ['no asOf', 'needsAsOf', aReceiptInput({ boundary: { asOf: null } })],
    ['an asOf before needsAsOf', 'needsAsOf', aReceiptInput({ boundary: { asOf: '2026-01-31T11:59:58.999Z' } })],
    ['a time that is none', 'needsAsOf', aReceiptInput({ boundary: { asOf: 'yesterday' } })],
    ['a partial no-match', 'partial', aReceiptInput({ verdict: { partial: true } })],
    ['a match under a no-match (V3)', 'another verdict', aReceiptInput({ verdict: { matches: [aMatch] } })],
    ['a match under a hold (V3)', 'another verdict', aReceiptInput({ verdict: { ...aHold, matches: [aMatch] } })],
    ['a match-review of nothing', 'without a match', aReceiptInput({ verdict: { verdict: 'match-review' } })],
    ['a count of an exists question (V3)', 'count', aReceiptInput({ verdict: { count: 0 } })],
    ['a count after a partial read (V3)', 'count', aReceiptInput({ question: { kind: 'enumerate' }, verdict: { ...aHold, count: 3 } })],
    ['a hold without a reason', 'without a reason', aReceiptInput({ verdict: { ...aHold, reasons: [] } })],
    ['a hold without an owner', 'without an owner', aReceiptInput({ verdict: { ...aHold, owner: null } })],
    ['a complete hold', 'complete', aReceiptInput({ verdict: { ...aHold, partial: false } })],
  ])('is found: %s', (_name, words, input) => expect(contradictionIn(input)).toContain(words));
});
