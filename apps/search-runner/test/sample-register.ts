/** A register over one HTTP source with pages of two records, and what is asked of it. */
import type { QuestionAsked } from '@lacuna/events';
import type { Register, SourceRule } from '@lacuna/evidence';
import { aQuestionAsked, aRegister, aSourceRule } from '@lacuna/testing';

export const SOURCE_URL = 'LACUNA_SOURCE_SPEC_URL';
const LONG_AFTER = '2100-01-01T00:00:00.000Z';

const connect = {
  type: 'http',
  language: 1,
  url: { env: SOURCE_URL },
  auth: { kind: 'none' },
  request: { method: 'GET', path: '/requests', query: { account: { identifier: 'account' } }, headers: {} },
  format: 'json',
  items: '/items',
  itemsAbsent: 'response-invalid',
  record: { id: '/id', version: '/version', status: '/status', fields: { account: '/account', reference: '/reference' } },
  paging: {
    kind: 'cursor',
    send: { in: 'query', name: 'cursor' },
    pageSize: { send: { in: 'query', name: 'limit' }, size: 2 },
    next: '/next',
    noCursor: ['null'],
    cursorAtEnd: 'never',
    replay: 'unknown',
    otherParameters: 'sent',
    overlap: 0,
  },
  end: [{ by: 'no-next-cursor' }],
  caps: [],
  flags: [],
  errors: [],
  retryAfter: [{ path: { header: 'retry-after' }, unit: 'http-date-or-seconds' }],
  notFound: 'source-unavailable',
  noContent: 'response-invalid',
  retries: { retriesMax: 0, delayMs: 500, delayMsMax: 10_000 },
  requestTimeoutMs: 20_000,
  responseBytesMax: 1_000_000,
};

export function anHttpSource(changes: Partial<SourceRule> = {}, reached: Partial<typeof connect> = {}): SourceRule {
  const rule = aSourceRule({ drift: 'keyset', attestation: { by: 'source owner', until: LONG_AFTER }, ...changes });
  return { ...rule, connect: { ...connect, ...reached } } as SourceRule;
}

export const anHttpRegister = (changes: Partial<Register> = {}): Register => aRegister({ sources: [anHttpSource()], ...changes });

/** Asked now of this register. */
export function aQuestionOf(register: Register, changes: Partial<QuestionAsked> = {}): QuestionAsked {
  const now = Date.now();
  const asked = { askedAt: new Date(now).toISOString(), needsAsOf: new Date(now - register.toleranceMs).toISOString() };
  return aQuestionAsked({ registerName: register.name, registerHash: register.hash, budget: register.budget, ...asked, ...changes });
}
