/** Messages of one partition as a handler gets them: decoded, by tenant, in log order. Pure. */
import { decodeEvent } from '@lacuna/events';
import type { DeadLetterCause } from './dead-letter.js';
import type { LogMessage } from './event-log.js';
import type { ReceivedEvent } from './topic-handler.js';

export interface ReceivedBatch {
  /** Sorted by tenant, so that two partitions lock the rows of tenants in one order. */
  readonly tenants: readonly { readonly tenantId: string; readonly events: readonly ReceivedEvent[] }[];
  /** Those that are decoded. */
  readonly accepted: readonly LogMessage[];
  readonly refused: readonly { readonly message: LogMessage; readonly cause: DeadLetterCause }[];
}

export function receivedBatch(messages: readonly LogMessage[]): ReceivedBatch {
  const byTenant = new Map<string, ReceivedEvent[]>();
  const accepted: LogMessage[] = [];
  const refused: { message: LogMessage; cause: DeadLetterCause }[] = [];
  for (const message of messages) {
    const outcome = decodeEvent(message);
    if (!outcome.ok) {
      refused.push({ message, cause: { reason: outcome.why, detail: outcome.detail } });
      continue;
    }
    accepted.push(message);
    const { tenantId } = outcome.event.data as { tenantId: string };
    const events = byTenant.get(tenantId) ?? [];
    byTenant.set(tenantId, events);
    events.push({ ...outcome.event, partition: message.partition, offset: message.offset });
  }
  const tenants = [...byTenant].map(([tenantId, events]) => ({ tenantId, events })).sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
  return { tenants, accepted, refused };
}
