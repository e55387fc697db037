/** Whether a person may except a hold, and what is then told: a pure function of what is known of the question, the request and the clock. */
import type { ExceptionGranted } from '@lacuna/events';
import { sha256Hex } from '@lacuna/receipts';
import type { FieldProblem } from '../http/field-problem.js';
import { EXCEPTION_LIVES_MS_DEFAULT, type GrantExceptionBody } from './exception.dto.js';

/** Of the newest generation, as far as it is read. */
export interface HeldQuestion {
  readonly questionId: string;
  readonly principal: string;
  readonly intentKind: string;
  readonly payloadHash: string | null;
  readonly policy: string | null;
  readonly generation: number;
  readonly verdict: string | null;
  readonly receiptHash: string | null;
  /** Made before, for this receipt. */
  readonly granted: Pick<ExceptionGranted, 'principal' | 'reason' | 'payloadHash'> | null;
}

export interface Excepting {
  readonly tenantId: string;
  readonly principal: string;
  readonly at: Date;
  readonly body: GrantExceptionBody;
}

export type ExceptionDecision =
  | { readonly outcome: 'granted'; readonly exception: ExceptionGranted }
  /** The same was granted before: nothing more happens. */
  | { readonly outcome: 'repeated' }
  | { readonly outcome: 'conflict'; readonly why: string }
  /** Four-eyes: the asker does not except its own write. */
  | { readonly outcome: 'own-write' }
  | { readonly outcome: 'invalid'; readonly problems: readonly FieldProblem[] };

/** One per receipt: its hash is the natural key. */
export const exceptionIdOf = (tenantId: string, questionId: string, receiptHash: string): string =>
  `exc_${sha256Hex(JSON.stringify([tenantId, questionId, receiptHash])).slice(0, 32)}`;

export function decideException(held: HeldQuestion, { tenantId, principal, at, body }: Excepting): ExceptionDecision {
  if (held.intentKind === 'none') return conflict('asked for nothing to be written');
  if (held.verdict === null) return conflict('has no verdict yet');
  if (body.receiptHash !== held.receiptHash) {
    const detail = 'is not the hash of the newest receipt: look at the question again';
    return { outcome: 'invalid', problems: [{ pointer: '/receiptHash', detail }] };
  }
  if (held.verdict === 'match-review') return conflict('has a match: an exception is never made beside one, decide its case');
  if (held.verdict !== 'evidence-hold') return conflict('is not held: no exception is needed');
  if (body.payloadHash !== held.payloadHash)
    return {
      outcome: 'invalid',
      problems: [{ pointer: '/payloadHash', detail: 'is not the hash of the payload that was asked to be written' }],
    };
  if (held.policy === null || (held.policy === 'four-eyes' && held.principal === principal)) return { outcome: 'own-write' };
  if (held.granted) return isSame(held.granted, principal, body) ? { outcome: 'repeated' } : conflict('has an exception for this receipt');
  return { outcome: 'granted', exception: exceptionOf(held, { tenantId, principal, at, body }) };
}

const conflict = (why: string): ExceptionDecision => ({ outcome: 'conflict', why });

const isSame = (granted: NonNullable<HeldQuestion['granted']>, principal: string, { reason, payloadHash }: GrantExceptionBody): boolean =>
  granted.principal === principal && granted.reason === reason && granted.payloadHash === payloadHash;

function exceptionOf({ questionId, generation }: HeldQuestion, { tenantId, principal, at, body }: Excepting): ExceptionGranted {
  const { receiptHash, payloadHash, reason, livesMs = EXCEPTION_LIVES_MS_DEFAULT } = body;
  return {
    tenantId,
    questionId,
    generation,
    exceptionId: exceptionIdOf(tenantId, questionId, receiptHash),
    receiptHash,
    payloadHash,
    principal,
    reason,
    expiresAt: new Date(at.getTime() + livesMs).toISOString(),
    at: at.toISOString(),
  };
}
