/** Page reads become evidence; a generation's first `search.ended` lets it be decided. */
import { Controller, Inject } from '@nestjs/common';
import { type EncodedEvent, events, isEvent, type SearchEnded, topics } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';
import { CLOCK, type Clock, OnTopic } from '@lacuna/runtime';
import type { SigningKey } from '@lacuna/receipts';
import { decideGenerations, groupsOf, registerHashOf } from './decide-generations.js';
import { type EvidenceEvent, evidenceOf, generationKey, keepEvidence } from './evidence-store.js';
import { type EndedGeneration, recordEnds } from './generation-store.js';
import { newSalt } from './receipt-log.js';
import { SIGNING_KEY } from './signing-key.js';

@Controller()
export class SearchesHandler {
  constructor(
    @Inject(SIGNING_KEY) private readonly signingKey: SigningKey,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @OnTopic(topics.searches)
  async handle({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    await keepEvidence(tx, tenantId, received);
    const ends = received.flatMap((event) => (isEvent(events.searchEnded, event) ? [event.data] : []));
    if (ends.length === 0) return [];
    const groups = groupsOf(await evidenceOf(tx, tenantId, ends));
    const ended = new Set((await recordEnds(tx, tenantId, groups.map(endOf))).map(generationKey));
    const input = { tx, tenantId, signingKey: this.signingKey, newSalt, now: this.clock.now() };
    return decideGenerations(
      input,
      groups.filter((group) => ended.has(generationKey(group[0] as EvidenceEvent))),
    );
  }
}

function endOf(group: readonly EvidenceEvent[]): EndedGeneration {
  const { questionId, generation } = group[0] as EvidenceEvent;
  const ended = group.find((event) => event.type === events.searchEnded.type)?.data as SearchEnded;
  return { questionId, generation, registerHash: registerHashOf(group), endedAt: ended.endedAt };
}
