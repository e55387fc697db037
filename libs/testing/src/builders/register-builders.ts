import type { IngestionGapClosed, IngestionGapFound, RegisterPublished } from '@lacuna/events';
import type { Register, SourceRule } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { freshId, NOON } from './fresh.js';

/** One deciding source, read whole in one response, seen without lag. */
export function aSourceRule(changes: Partial<SourceRule> = {}): SourceRule {
  return {
    name: 'ledger',
    role: 'deciding',
    method: 'enumeration',
    authority: 'original',
    lagMaxMs: 0,
    recentExcludedMs: 0,
    drift: 'single-response',
    predicate: 'same',
    visibility: 'all-or-nothing',
    hazards: [],
    contractDoubts: [],
    optionalFields: [],
    ...changes,
  };
}

/** A register with one key, one scope and one deciding source, no target. `hash` is that of the rest. */
export function aRegister(changes: Partial<Register> = {}): Register {
  const { hash, ...rest }: Omit<Register, 'hash'> & { hash?: string } = {
    name: 'service-requests',
    version: '1.0.0',
    identifiers: {
      account: { kind: 'scope', normalise: ['trim', 'case-fold'] },
      reference: { kind: 'key', normalise: ['nfkc', 'trim', 'case-fold'] },
    },
    sources: [aSourceRule()],
    status: { reusable: ['closed'], follow: ['merged'] },
    moves: { kind: 'none' },
    toleranceMs: 1_000,
    clockSkewMaxMs: 1_000,
    freshnessMs: 60_000,
    acceptedDoubts: [],
    owner: { name: 'intake desk', contact: 'intake@example.org' },
    policy: 'auto',
    target: null,
    budget: { pagesMax: 100, recordsMax: 10_000, bytesMax: 10_000_000, elapsedMsMax: 60_000 },
    attempts: { attemptsMax: 3, elapsedMsMax: 30_000 },
    holds: { autoReruns: 2, autoRerunDelayMs: 60_000 },
    ...changes,
  };
  return { ...rest, hash: hash ?? sha256Hex(canonicalJson(rest)) };
}

/** A register that writes to write-guard's own table. */
export function aRegisterWithTarget(changes: Partial<Register> = {}): Register {
  return aRegister({ target: { name: 'service-request', kind: 'own-table', policyId: 'service-request-key-v1' }, ...changes });
}

/** The publication of a register, by default of `aRegister()`. */
export function aRegisterPublished(changes: Partial<RegisterPublished> = {}, register: Register = aRegister()): RegisterPublished {
  const { hash, ...withoutHash } = register;
  return {
    tenantId: freshId('tenant'),
    registerName: register.name,
    version: register.version,
    registerHash: hash,
    register: withoutHash as unknown as Record<string, unknown>,
    at: NOON,
    ...changes,
  };
}

export function anIngestionGapFound(changes: Partial<IngestionGapFound> = {}): IngestionGapFound {
  return {
    tenantId: freshId('tenant'),
    registerName: 'service-requests',
    source: 'ledger',
    from: NOON,
    to: null,
    origin: 'observed',
    at: NOON,
    ...changes,
  };
}

export function anIngestionGapClosed(changes: Partial<IngestionGapClosed> = {}): IngestionGapClosed {
  return {
    tenantId: freshId('tenant'),
    registerName: 'service-requests',
    source: 'ledger',
    from: NOON,
    backfilled: true,
    at: NOON,
    ...changes,
  };
}
