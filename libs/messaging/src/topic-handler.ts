/** What a service does with a topic: pure enough to be run again, set-based, inside the batch's transaction. */
import type { DecodedEvent, EncodedEvent } from '@lacuna/events';
import type { Transaction } from './database.js';

/** Events of one tenant in one batch of one partition, in log order. `tx` already acts for the tenant. */
export interface TenantBatch {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly topic: string;
  readonly events: readonly ReceivedEvent[];
}

export interface ReceivedEvent extends DecodedEvent {
  readonly partition: number;
  readonly offset: bigint;
}

/** Applies the batch and answers the events it gives rise to. Throwing rolls everything back. */
export type TopicHandler = (batch: TenantBatch) => Promise<readonly EncodedEvent[]>;
