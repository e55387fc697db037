/**
 * What to do about an error of a batch, by its class, driver code or SQLSTATE. The first rule that fits decides; an error that no rule
 * knows is taken as the message's own fault: it is tried alone, and dead-lettered if it keeps failing.
 */
import { ConsumerStoppedError, FencedError, PublishError } from './delivery-error.js';

export type FailureAction = 'retry' | 'dead-letter' | 'stop';

export interface FailureRule {
  readonly what: string;
  readonly action: FailureAction;
  readonly fits: (error: unknown, code: string | null) => boolean;
}

const NETWORK = /^(ECONN\w+|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/;
const CONNECTION_WORDS = /connection terminated|client has encountered a connection error|timeout exceeded when trying to connect/i;

const code = (pattern: RegExp) => (_error: unknown, found: string | null) => found !== null && pattern.test(found);

export const failureTable: readonly FailureRule[] = [
  { what: 'the consumer was told to stop', action: 'stop', fits: (error) => error instanceof ConsumerStoppedError },
  { what: 'somebody else owns the partition', action: 'stop', fits: (error) => error instanceof FencedError },
  { what: 'committed events are not acknowledged yet', action: 'retry', fits: (error) => error instanceof PublishError },
  { what: 'deadlock or serialization failure', action: 'retry', fits: code(/^40(P01|001)$/) },
  { what: 'lock not available within lock_timeout', action: 'retry', fits: code(/^55P03$/) },
  { what: 'the server is going down, starting or cancelling', action: 'retry', fits: code(/^57(014|P0[1-5])$/) },
  { what: 'a time bound of the transaction', action: 'retry', fits: code(/^25P0[34]$/) },
  { what: 'connection exception', action: 'retry', fits: code(/^08...$/) },
  { what: 'the server is out of resources or fails', action: 'retry', fits: code(/^(53|58)...$/) },
  { what: 'network', action: 'retry', fits: code(NETWORK) },
  { what: 'connection lost', action: 'retry', fits: (error) => error instanceof Error && CONNECTION_WORDS.test(error.message) },
  {
    what: 'wrong SQL, missing table or missing privilege: no message is to blame',
    action: 'stop',
    fits: code(/^42.../),
  },
  { what: 'anything else: the message is tried alone, then dead-lettered', action: 'dead-letter', fits: () => true },
];

export function actionFor(error: unknown, table: readonly FailureRule[] = failureTable): FailureAction {
  const found = codeOf(error);
  return table.find((rule) => rule.fits(error, found))?.action ?? 'dead-letter';
}

const CAUSES_MAX = 5;

/** SQLSTATE or system code of an error or of what caused it. */
export function codeOf(error: unknown): string | null {
  let current: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && current !== null && typeof current === 'object'; depth += 1) {
    const { code: own, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof own === 'string') return own;
    current = cause;
  }
  return null;
}
