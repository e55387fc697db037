import type { TopicSettings } from '@lacuna/messaging';
import { describe, expect, it } from 'vitest';
import { describeSettings, topicDrifts } from './topic-drift.js';

const receipts: TopicSettings = { topic: 'lacuna.receipts.v1', partitions: 3, cleanup: 'delete', retentionMs: -1 };
const registers: TopicSettings = { topic: 'lacuna.registers.v1', partitions: 3, cleanup: 'compact', retentionMs: -1 };

describe('how a topic keeps its messages', () => {
  it('is named with what mends it where receipts would expire; fails when evidence is lost in silence', () => {
    const drifts = topicDrifts([receipts], [{ ...receipts, retentionMs: 604_800_000 }]);
    expect(drifts).toEqual([
      'lacuna.receipts.v1: retention.ms is 604800000, should be -1 ' +
        '(kafka-configs.sh --alter --entity-type topics --entity-name lacuna.receipts.v1 --add-config retention.ms=-1)',
    ]);
  });

  it('is named where messages are compacted that must all stay', () => {
    expect(topicDrifts([receipts], [{ ...receipts, cleanup: 'compact,delete' as TopicSettings['cleanup'] }])).toEqual([
      expect.stringContaining('cleanup.policy is compact,delete, should be delete'),
    ]);
  });

  it('is no matter of retention.ms where a topic is compacted, of partitions, or of a topic that is not there', () => {
    expect(topicDrifts([registers], [{ ...registers, retentionMs: 1, partitions: 9 }])).toEqual([]);
    expect(topicDrifts([receipts], [])).toEqual([]);
  });

  it.each([
    [receipts, '3 partitions, kept for ever'],
    [registers, '3 partitions, compacted'],
    [{ ...receipts, partitions: 1, retentionMs: 30 * 86_400_000 }, '1 partition, kept 30 days'],
  ])('is described in a few words', (settings, text) => {
    expect(describeSettings(settings)).toBe(text);
  });
});
