/** Page reads become evidence; a generation's first `search.ended` lets it be decided. */
import { randomBytes } from 'node:crypto';
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, type SearchEnded, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, OnTopic } from '@lacuna/runtime';
import type { SigningKey } from '@lacuna/receipts';
import { decideGenerations, groupsOf, registerHashOf } from './decide-generations.js';
import { type EvidenceEvent, evidenceOf, keepEvidence } from './evidence-store.js';
import { type EndedGeneration, recordEnds } from './generation-store.js';
import { SIGNING_KEY } from './signing-key.js';

const SALT_BYTES = 32;

@Controller()
export class SearchesHandler {
  constructor(
    @Inject(SIGNING_KEY) private readonly signingKey: SigningKey,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @OnTopic(topics.searches)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    await keepEvidence(
      tx,
      tenantId,
      received.filter((event) => !isEvent(events.missRecorded, event)),
    );
    const ends = received.flatMap((event) => (isEvent(events.searchEnded, event) ? [event.data] : []));
    if (ends.length === 0) return [];
    const groups = groupsOf(await evidenceOf(tx, tenantId, ends));
    const generations = await recordEnds(tx, tenantId, [...groups.values()].map(endOf));
    const now = this.clock.now();
    return decideGenerations({ tx, tenantId, generations, signingKey: this.signingKey, newSalt: () => randomBytes(SALT_BYTES), now });
  }
}

function endOf(group: readonly EvidenceEvent[]): EndedGeneration {
  const { questionId, generation } = group[0] as EvidenceEvent;
  const ended = group.find((event) => event.type === events.searchEnded.type)?.data as SearchEnded;
  return { questionId, generation, registerHash: registerHashOf(group), endedAt: ended.endedAt };
}
