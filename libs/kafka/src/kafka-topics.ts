/** Topics, by an operator's hand: a running service makes none. */
import type { TopicSettings } from '@lacuna/messaging';
import type { Admin } from 'kafkajs';

const REPLICATION_FACTOR_MAX = 3;
const TOPICS_PER_REQUEST_MAX = 50;
const CREATE_MS_MAX = 20_000;

/** Those of the named topics that are not there. */
export async function missingTopics(admin: Admin, topics: readonly string[]): Promise<string[]> {
  const existing = new Set(await admin.listTopics());
  return [...new Set(topics)].filter((topic) => !existing.has(topic));
}

/** Makes what is missing; what is there stays as it is, with its partitions, since keys are spread over them. */
export async function createTopics(admin: Admin, topics: readonly TopicSettings[], wantedReplication: number | undefined): Promise<void> {
  const missing = new Set(
    await missingTopics(
      admin,
      topics.map(({ topic }) => topic),
    ),
  );
  const wanted = topics.filter(({ topic }) => missing.delete(topic));
  if (wanted.length === 0) return;
  const { brokers } = await admin.describeCluster();
  const replicationFactor = wantedReplication ?? Math.min(REPLICATION_FACTOR_MAX, brokers.length);
  for (let from = 0; from < wanted.length; from += TOPICS_PER_REQUEST_MAX) {
    await admin.createTopics({
      waitForLeaders: true,
      timeout: CREATE_MS_MAX,
      topics: wanted.slice(from, from + TOPICS_PER_REQUEST_MAX).map((settings) => ({
        topic: settings.topic,
        numPartitions: settings.partitions,
        replicationFactor,
        configEntries: configEntries(settings, replicationFactor),
      })),
    });
  }
}

/** With three copies a write needs two: one broker may be away, and no acknowledged message is lost with it. */
function configEntries({ cleanup, retentionMs }: TopicSettings, replicationFactor: number): { name: string; value: string }[] {
  return [
    { name: 'cleanup.policy', value: cleanup },
    { name: 'min.insync.replicas', value: String(replicationFactor >= 3 ? 2 : 1) },
    ...(cleanup === 'delete' ? [{ name: 'retention.ms', value: String(retentionMs) }] : []),
  ];
}
