import { topics, type EncodedEvent } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { OnTopic } from '@lacuna/runtime';
import { Controller } from '@nestjs/common';
import { WaitingRoom } from '../questions/waiting-room.js';
import { projectAuthorisations } from './project-authorisations.js';
import { projectCases } from './project-cases.js';
import { projectDeliveries } from './project-deliveries.js';
import { projectReceipts } from './project-receipts.js';
import { projectSearches } from './project-searches.js';
import { projectVerdicts } from './project-verdicts.js';
import { projectWrites } from './project-writes.js';

const NOTHING: readonly EncodedEvent[] = [];

/** Keeps the read model. Topics come in any order between one another: no handler needs what another one has written. */
@Controller()
export class ReadModelConsumer {
  constructor(private readonly room: WaitingRoom<unknown>) {}

  @OnTopic(topics.searches)
  async searches(batch: TenantBatch): Promise<readonly EncodedEvent[]> {
    await projectSearches(batch);
    return NOTHING;
  }

  @OnTopic(topics.verdicts)
  async verdicts(batch: TenantBatch): Promise<readonly EncodedEvent[]> {
    this.room.touched(batch.tenantId, await projectVerdicts(batch));
    return NOTHING;
  }

  @OnTopic(topics.writes)
  async writes(batch: TenantBatch): Promise<readonly EncodedEvent[]> {
    await projectAuthorisations(batch);
    this.room.touched(batch.tenantId, await projectWrites(batch));
    return NOTHING;
  }

  @OnTopic(topics.receipts)
  async receipts(batch: TenantBatch): Promise<readonly EncodedEvent[]> {
    await projectReceipts(batch);
    return NOTHING;
  }

  @OnTopic(topics.reviews)
  async reviews(batch: TenantBatch): Promise<readonly EncodedEvent[]> {
    this.room.touched(batch.tenantId, await projectCases(batch));
    return NOTHING;
  }

  @OnTopic(topics.deliveries)
  async deliveries(batch: TenantBatch): Promise<readonly EncodedEvent[]> {
    await projectDeliveries(batch);
    return NOTHING;
  }
}
