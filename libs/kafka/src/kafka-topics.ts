/** Topics, by an operator's hand: a running service makes none. */
import type { TopicSettings } from '@lacuna/messaging';
import kafkajs, { type Admin } from 'kafkajs';

const REPLICATION_FACTOR_MAX = 3;
const TOPICS_PER_REQUEST_MAX = 50;
const CREATE_MS_MAX = 20_000;
/** kafkajs is CommonJS: Node finds only some of its members by name. */
const { ConfigResourceTypes } = kafkajs;

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

/** The cluster's own settings of those of the topics that are there. */
export async function describeTopics(admin: Admin, topics: readonly string[]): Promise<TopicSettings[]> {
  const missing = new Set(await missingTopics(admin, topics));
  const there = [...new Set(topics)].filter((topic) => !missing.has(topic));
  if (there.length === 0) return [];
  const configNames = ['cleanup.policy', 'retention.ms'];
  const resources = there.map((name) => ({ type: ConfigResourceTypes.TOPIC, name, configNames }));
  const [metadata, configs] = await Promise.all([
    admin.fetchTopicMetadata({ topics: there }),
    admin.describeConfigs({ resources, includeSynonyms: false }),
  ]);
  const partitions = new Map(metadata.topics.map((topic) => [topic.name, topic.partitions.length]));
  return configs.resources.map(({ resourceName, configEntries: entries }) => {
    const valueOf = (name: string) => entries.find(({ configName }) => configName === name)?.configValue ?? '';
    return {
      topic: resourceName,
      partitions: partitions.get(resourceName) ?? 0,
      cleanup: valueOf('cleanup.policy') as TopicSettings['cleanup'],
      retentionMs: Number(valueOf('retention.ms')),
    };
  });
}

/** With three copies a write needs two: one broker may be away, and no acknowledged message is lost with it. */
function configEntries({ cleanup, retentionMs }: TopicSettings, replicationFactor: number): { name: string; value: string }[] {
  return [
    { name: 'cleanup.policy', value: cleanup },
    { name: 'min.insync.replicas', value: String(replicationFactor >= 3 ? 2 : 1) },
    ...(cleanup === 'delete' ? [{ name: 'retention.ms', value: String(retentionMs) }] : []),
  ];
}
