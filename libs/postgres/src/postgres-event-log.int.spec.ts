import type { EventLog } from '@lacuna/messaging';
import { eventLogConformance } from '@lacuna/testing/event-log-conformance';
import { PostgresEventLog } from './postgres-event-log.js';

eventLogConformance('Postgres, appending in the batch transaction', { openLog: async (database) => new PostgresEventLog(database) });

/** The same log as one that is not in the service's database: what Kafka needs, shown without Kafka. */
eventLogConformance('Postgres, through the outbox', { openLog: async (database) => throughOutbox(new PostgresEventLog(database)) });

function throughOutbox(log: PostgresEventLog): EventLog {
  return {
    technology: 'postgres',
    appendIn: null,
    start: () => log.start(),
    publish: (messages) => log.publish(messages),
    consume: (options) => log.consume(options),
    ensureTopics: (topics) => log.ensureTopics(topics),
    ends: (topic) => log.ends(topic),
    offsetsSince: (topic, since) => log.offsetsSince(topic, since),
    read: (at, from, max) => log.read(at, from, max),
    ping: () => log.ping(),
    stop: () => log.stop(),
  };
}
