/** Messages of one partition as a handler gets them: decoded, by tenant, in log order; what a closed key keeps back is set aside. */
import { decodeEvent } from '@lacuna/events';
import { type DeadLetterCause, isDrop } from './dead-letter.js';
import type { LogMessage } from './event-log.js';
import type { KeyGate, StalledKey } from './key-gate.js';
import type { ReceivedEvent } from './topic-handler.js';

export interface ReceivedBatch {
  /** Sorted by tenant, so that two partitions lock the rows of tenants in one order. */
  readonly tenants: readonly { readonly tenantId: string; readonly events: readonly ReceivedEvent[] }[];
  /** Those that are decoded. */
  readonly accepted: readonly LogMessage[];
  readonly refused: readonly { readonly message: LogMessage; readonly cause: DeadLetterCause }[];
  /** They wait behind a dead letter of their key. */
  readonly parked: readonly LogMessage[];
  /** Dead letters that were put back and are among the accepted, or were given up. */
  readonly released: readonly StalledKey[];
}

const PARKING_FULL: DeadLetterCause = {
  reason: 'parking-full',
  detail: 'more messages wait behind a dead letter of this key than are kept',
};

/** With a gate, which is changed: what its closed keys do not admit is parked. Without: everything is handled. */
export function receivedBatch(messages: readonly LogMessage[], gate: KeyGate | null = null, nowMs = 0): ReceivedBatch {
  const batch = { accepted: [] as LogMessage[], parked: [] as LogMessage[], released: [] as StalledKey[] };
  const refused: { message: LogMessage; cause: DeadLetterCause }[] = [];
  const byTenant = new Map<string, ReceivedEvent[]>();
  const refuse = (message: LogMessage, cause: DeadLetterCause): void => {
    refused.push({ message, cause });
    gate?.stall(gate.stalledBy(message));
  };
  const release = (message: LogMessage): void => {
    const released = gate?.release(message);
    if (released) batch.released.push(released);
  };
  for (const message of messages) {
    if (isDrop(message)) release(message);
    else if (gate && !gate.admits(message)) {
      if (!gate.hasRoomFor(message)) refuse(message, PARKING_FULL);
      else {
        gate.park(message, nowMs);
        batch.parked.push(message);
      }
    } else {
      const outcome = decodeEvent(message);
      if (!outcome.ok) refuse(message, { reason: outcome.why, detail: outcome.detail });
      else {
        batch.accepted.push(message);
        release(message);
        add(byTenant, { ...outcome.event, partition: message.partition, offset: message.offset });
      }
    }
  }
  const tenants = [...byTenant].map(([tenantId, events]) => ({ tenantId, events })).sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
  return { tenants, refused, ...batch };
}

/** Everything goes to the dead-letter topic, for one cause. */
export function refusedBatch(messages: readonly LogMessage[], cause: DeadLetterCause, gate: KeyGate | null): ReceivedBatch {
  for (const message of messages) gate?.stall(gate.stalledBy(message));
  return { tenants: [], accepted: [], refused: messages.map((message) => ({ message, cause })), parked: [], released: [] };
}

function add(byTenant: Map<string, ReceivedEvent[]>, event: ReceivedEvent): void {
  const { tenantId } = event.data as { tenantId: string };
  const events = byTenant.get(tenantId);
  if (events) events.push(event);
  else byTenant.set(tenantId, [event]);
}
