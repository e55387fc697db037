/** Where a topic keeps its messages otherwise than the event catalogue says. Pure. */
import type { TopicSettings } from '@lacuna/messaging';

/** One line per difference: what is, what should be, and what mends it. */
export function topicDrifts(wanted: readonly TopicSettings[], actual: readonly TopicSettings[]): string[] {
  const byTopic = new Map(actual.map((settings) => [settings.topic, settings]));
  return wanted.flatMap((settings) => {
    const found = byTopic.get(settings.topic);
    return found ? driftsOf(settings, found) : [];
  });
}

function driftsOf(wanted: TopicSettings, found: TopicSettings): string[] {
  const { topic, cleanup, retentionMs } = wanted;
  const drifts: string[] = [];
  if (found.cleanup !== cleanup) drifts.push(line(topic, 'cleanup.policy', found.cleanup, cleanup));
  // A compacted topic keeps the last message of a key for ever, whatever retention.ms says.
  if (cleanup === 'delete' && found.retentionMs !== retentionMs) drifts.push(line(topic, 'retention.ms', found.retentionMs, retentionMs));
  return drifts;
}

function line(topic: string, setting: string, is: unknown, should: unknown): string {
  const mend = `kafka-configs.sh --alter --entity-type topics --entity-name ${topic} --add-config ${setting}=${should}`;
  return `${topic}: ${setting} is ${is}, should be ${should} (${mend})`;
}

const DAY_MS = 86_400_000;

/** Such as `3 partitions, kept 30 days`. */
export function describeSettings({ partitions, cleanup, retentionMs }: TopicSettings): string {
  const kept = cleanup === 'compact' ? 'compacted' : retentionMs === -1 ? 'kept for ever' : `kept ${retentionMs / DAY_MS} days`;
  return `${partitions} ${partitions === 1 ? 'partition' : 'partitions'}, ${kept}`;
}
