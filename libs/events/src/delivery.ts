import { Id, Reason, TenantId, Text, Timestamp } from './fields.js';

/** A message of this question went to a dead-letter topic: a state beside the verdict that blocks permits. Produced by every service. */
export class DeliveryStalled {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Text(200) group: string;
  /** `topic/partition/offset` of the message. */
  @Text(300) message: string;
  @Reason() reason: string;
  @Timestamp() at: string;
}

/** The message was requeued and handled. Produced by every service. */
export class DeliveryCleared {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Text(200) group: string;
  @Text(300) message: string;
  @Timestamp() at: string;
}
