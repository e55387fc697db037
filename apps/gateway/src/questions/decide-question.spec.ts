import type { Register } from '@lacuna/evidence';
import { describe, expect, it } from 'vitest';
import type { AskQuestionBody } from './ask-question.body.js';
import { decideQuestion } from './decide-question.js';

const register: Register = {
  name: 'service-requests',
  version: '1',
  hash: 'a'.repeat(64),
  identifiers: {
    account: { kind: 'scope', normalise: ['trim'] },
    reference: { kind: 'key', normalise: ['trim', 'case-fold'], format: '[A-Z]+-\\d+' },
    contact: { kind: 'hint', normalise: ['trim'], optional: true },
  },
  sources: [],
  status: { reusable: [], follow: [] },
  moves: { kind: 'none' },
  toleranceMs: 1_000,
  clockSkewMaxMs: 0,
  freshnessMs: 60_000,
  acceptedDoubts: [],
  owner: { name: 'Intake team', contact: 'intake@example.org' },
  policy: 'auto',
  target: { name: 'service-request', kind: 'own-table', policyId: 'p1' },
  budget: { pagesMax: 100, recordsMax: 10_000, bytesMax: 1_000_000, elapsedMsMax: 60_000 },
  attempts: { attemptsMax: 2, elapsedMsMax: 10_000 },
  holds: { autoReruns: 2, autoRerunDelayMs: 1_000 },
};

const account = { name: 'account', value: 'A-1', provenance: 'system' } as const;
const reference = { name: 'reference', value: 'SR-1', provenance: 'person' } as const;

function deciding(body: Partial<AskQuestionBody> = {}, of: Register = register) {
  const asking = { tenantId: 't1', principal: 'ann', questionId: 'q-1', askedAt: new Date('2026-01-31T12:00:00.000Z') };
  return decideQuestion(
    { ...asking, body: { register: 'service-requests', kind: 'exists', identifiers: [account, reference], ...body } },
    of,
  );
}

const pointersOf = (decision: ReturnType<typeof deciding>) => (decision.ok ? [] : decision.problems.map(({ pointer }) => pointer));

describe('a question', () => {
  it('is asked of the register’s version with its budget, up to its tolerance before now', () => {
    const decision = deciding();
    expect(decision).toMatchObject({
      ok: true,
      question: { registerHash: register.hash, budget: register.budget, needsAsOf: '2026-01-31T11:59:59.000Z', intent: { kind: 'none' } },
    });
  });

  it('carries the SHA-256 of the RFC 8785 form of its payload; fails when the order of members changes the hash', () => {
    const one = deciding({ intent: { kind: 'create', payload: { b: 1, a: 'x' } } });
    const other = deciding({ intent: { kind: 'create', payload: { a: 'x', b: 1 } } });
    expect(one.ok && one.question.intent.payloadHash).toMatch(/^[0-9a-f]{64}$/);
    expect(one.ok && one.question.intent.payloadHash).toBe(other.ok && other.question.intent.payloadHash);
  });

  it('may lower the budget member by member, and not raise it; fails when an asker can read more than the register allows', () => {
    const lower = deciding({ budget: { pagesMax: 5 } });
    expect(lower.ok && lower.question.budget).toEqual({ ...register.budget, pagesMax: 5 });
    expect(pointersOf(deciding({ budget: { pagesMax: 101 } }))).toEqual(['/budget/pagesMax']);
  });

  it.each([
    ['an identifier left out', { identifiers: [account] }, ['/identifiers']],
    ['an identifier of a wrong form', { identifiers: [account, { ...reference, value: '17' }] }, ['/identifiers/1/value']],
    ['an identifier that the register lacks', { identifiers: [account, reference, { ...account, name: 'x' }] }, ['/identifiers/2/name']],
    ['an identifier given twice', { identifiers: [account, reference, reference] }, ['/identifiers/2/name']],
    ['a payload without the intent to write', { intent: { kind: 'none', payload: {} } }, ['/intent/payload']],
    ['an intent to create without a payload', { intent: { kind: 'create' } }, ['/intent/payload']],
    ['a payload above 64 KiB', { intent: { kind: 'create', payload: { a: 'x'.repeat(65_536) } } }, ['/intent/payload']],
    ['gone and the intent to create', { kind: 'gone', intent: { kind: 'create', payload: {} } }, ['/intent/kind']],
    ['enumerate and the intent to create', { kind: 'enumerate', intent: { kind: 'create', payload: {} } }, ['/intent/kind']],
    ['a moment in the future', { needsAsOf: '2026-01-31T12:00:00.001Z' }, ['/needsAsOf']],
  ] as [string, Partial<AskQuestionBody>, string[]][])('with %s is refused with the pointer to it', (_, body, pointers) => {
    expect(pointersOf(deciding(body))).toEqual(pointers);
  });

  it('cannot create where the register names no target; fails when such a question waits for a write that never comes', () => {
    expect(pointersOf(deciding({ intent: { kind: 'create', payload: {} } }, { ...register, target: null }))).toEqual(['/intent/kind']);
  });
});
