/** A register whose records are created in a system that is not ours. */
import type { Register } from '@lacuna/evidence';
import { aRegisterWithTarget } from '@lacuna/testing';

export const HORIZON_MS = 20_000;
const REQUEST_MS = 500;

/** Creates at the desk that LACUNA_TEST_DESK names. */
export function outsideRegister(changes: object = {}): Register {
  const create = {
    url: { env: 'LACUNA_TEST_DESK' },
    path: '/tickets',
    auth: { kind: 'none' },
    headers: {},
    payloadAt: '',
    idempotencyHeader: 'idempotency-key',
    requestTimeoutMs: REQUEST_MS,
    created: { statuses: [201], id: '/id' },
    conflict: { statuses: [409], id: '/existing' },
    otherPayload: { status: 422, path: '/code', equals: 'key_reused' },
    ...changes,
  };
  const target = { name: 'desk-ticket', kind: 'outside', policyId: 'v1', protection: 'own-writes-only', sendHorizonMs: HORIZON_MS, create };
  return aRegisterWithTarget({ target: target as Register['target'], status: { reusable: ['closed'], follow: [] } });
}
