import { Kafka, logLevel, type KafkaConfig } from 'kafkajs';
import type { KafkaSettings } from './kafka-settings.js';

const CONNECTION_MS_MAX = 3_000;
const REQUEST_MS_MAX = 15_000;

/** What a single call tries before it says that Kafka is away: about 2 s where the connection is refused. */
export const callRetry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 } as const;

/** A client. It warns through our logger; "coordinator is not available" once on a fresh broker is normal. */
export function kafkaClient({ brokers, clientId, ssl, sasl, logger }: KafkaSettings): Kafka {
  return new Kafka({
    clientId,
    brokers: [...brokers],
    ssl: typeof ssl === 'object' ? { ca: [ssl.ca] } : (ssl ?? false),
    // A copy: kafkajs keeps its authenticator, with the password, in the object that it is given.
    ...(sasl ? { sasl: { ...sasl } as KafkaConfig['sasl'] } : {}),
    connectionTimeout: CONNECTION_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
    retry: callRetry,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => {
      if (entry.log.message.startsWith('Limiting retries for the idempotent producer')) return; // KafkaSender replaces it instead
      const { message, logger: _own, stack: _stack, ...facts } = entry.log;
      logger.warn({ kafka: entry.namespace, ...facts }, message);
    },
  });
}
