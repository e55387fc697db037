/** How a Kafka cluster is reached. */
import type { DeliveryLogger } from '@lacuna/messaging';

export interface KafkaSettings {
  /** host:port of some brokers; the others are learned from them. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly logger: DeliveryLogger;
  /** `ca`: PEM of whoever must have signed Kafka's certificate. True: whoever Node trusts. */
  readonly ssl?: boolean | { readonly ca: string };
  readonly sasl?: { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly username: string; readonly password: string };
  /** Copies of a topic that is made here. Default: 3, or as many as there are brokers. */
  readonly replicationFactor?: number;
  /** A consumer that is silent for this long loses its partitions. */
  readonly sessionTimeoutMs?: number;
  /** A consumer that cannot reach a broker for this long ends. */
  readonly brokerAwayMsMax?: number;
}
