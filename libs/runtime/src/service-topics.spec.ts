import { topics } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import { allTopics, topicsOf } from './service-topics.js';

const verdict = { name: 'verdict', consumes: [topics.searches, topics.registers] } as const;

describe('the topics of a service', () => {
  it('are those it reads, those it writes, and a dead-letter topic for each that it reads; fails when one is missing at the first event', () => {
    const names = topicsOf(verdict, 3).map(({ topic }) => topic);
    expect(names.sort()).toEqual(
      [
        topics.deliveries,
        topics.receipts,
        topics.registers,
        `${topics.registers}.verdict.dlq`,
        topics.searches,
        `${topics.searches}.verdict.dlq`,
        topics.verdicts,
      ].sort(),
    );
  });

  it('keep receipts for ever and dead letters for 30 days; fails when a receipt can be removed by the log', () => {
    const settings = new Map(allTopics([verdict], 5).map((one) => [one.topic, one]));
    expect(settings.get(topics.receipts)).toEqual({ topic: topics.receipts, partitions: 5, cleanup: 'delete', retentionMs: -1 });
    expect(settings.get(topics.registers)).toMatchObject({ cleanup: 'compact' });
    expect(settings.get(`${topics.searches}.verdict.dlq`)).toMatchObject({ cleanup: 'delete', retentionMs: 2_592_000_000 });
  });
});
