/** Every configuration key of a service, once: name, meaning, default, how it is read. Help and validation come from this table. */
import { addresses, crashPoint, oneOf, secret, tenantIds, text, url, wholeNumber } from './config-value.js';

export interface ConfigKey<T> {
  readonly name: string;
  /** Another name that is read when `name` is not set. */
  readonly alias?: string;
  readonly meaning: string;
  readonly read: (value: string) => T;
  /** Text as it would stand in the environment; null: the value is null when it is not set. */
  readonly missing: string | null;
  /** May also come from the file that `<name>_FILE` names; never shown. */
  readonly isSecret?: true;
}

const DATABASE_URL = 'postgres://lacuna@127.0.0.1:5432/lacuna';

export const configKeys = {
  databaseUrl: {
    name: 'LACUNA_DATABASE_URL',
    meaning: 'PostgreSQL, as postgres://role:password@host:port/database',
    read: url('postgres:', 'postgresql:'),
    missing: DATABASE_URL,
    isSecret: true,
  },
  log: {
    name: 'LACUNA_LOG',
    meaning: 'where events are kept: postgres, for one process, or kafka',
    read: oneOf('postgres', 'kafka'),
    missing: 'postgres',
  },
  kafkaBrokers: {
    name: 'LACUNA_KAFKA_BROKERS',
    alias: 'KAFKA_BROKERS',
    meaning: 'Kafka brokers, host:port,host:port',
    read: addresses,
    missing: '',
  },
  kafkaTls: { name: 'LACUNA_KAFKA_TLS', meaning: 'on: TLS to Kafka', read: oneOf('on', 'off'), missing: 'off' },
  kafkaCaFile: {
    name: 'LACUNA_KAFKA_CA_FILE',
    meaning: "PEM of who must have signed Kafka's certificate; not set: who Node trusts",
    read: text,
    missing: null,
  },
  kafkaSasl: {
    name: 'LACUNA_KAFKA_SASL',
    meaning: 'how to sign in at Kafka',
    read: oneOf('none', 'plain', 'scram-sha-256', 'scram-sha-512'),
    missing: 'none',
  },
  kafkaUser: { name: 'LACUNA_KAFKA_USER', meaning: 'user at Kafka', read: text, missing: null },
  kafkaPassword: { name: 'LACUNA_KAFKA_PASSWORD', meaning: 'password at Kafka', read: secret(1), missing: null, isSecret: true },
  kafkaSessionTimeoutMs: {
    name: 'LACUNA_KAFKA_SESSION_TIMEOUT_MS',
    meaning: 'a consumer that is silent for this long loses its partitions to another, ms',
    read: wholeNumber(1_000, 300_000),
    missing: '30000',
  },
  httpHost: { name: 'LACUNA_HTTP_HOST', meaning: 'address to listen on', read: text, missing: '127.0.0.1' },
  httpPort: { name: 'LACUNA_HTTP_PORT', meaning: 'port to listen on; 0: any free one', read: wholeNumber(0, 65_535), missing: '0' },
  serviceToken: {
    name: 'LACUNA_SERVICE_TOKEN',
    meaning: 'bearer token between services, the same for all of them',
    read: secret(16),
    missing: null,
    isSecret: true,
  },
  registersFolder: { name: 'LACUNA_REGISTERS', meaning: 'folder of the register files', read: text, missing: null },
  tenants: {
    name: 'LACUNA_TENANTS',
    meaning: 'tenants that the registers are published for, comma list',
    read: tenantIds,
    missing: 'default',
  },
  signingKeyFile: { name: 'LACUNA_SIGNING_KEY_FILE', meaning: 'Ed25519 private key of the receipts, PEM', read: text, missing: null },
  signingPublicKeyFile: {
    name: 'LACUNA_SIGNING_PUBLIC_KEY_FILE',
    meaning: 'its public key, PEM, served for checking receipts',
    read: text,
    missing: null,
  },
  writeGuardUrl: { name: 'LACUNA_WRITE_GUARD_URL', meaning: 'where write-guard answers', read: url('http:', 'https:'), missing: null },
  webhookUrl: { name: 'LACUNA_WEBHOOK_URL', meaning: 'where cases are announced', read: url('http:', 'https:'), missing: null },
  webhookSecret: {
    name: 'LACUNA_WEBHOOK_SECRET',
    meaning: 'key of the webhook signatures (standardwebhooks)',
    read: secret(16),
    missing: null,
    isSecret: true,
  },
  egressAllow: {
    name: 'LACUNA_EGRESS_ALLOW',
    meaning: 'private addresses that may be called, host:port,host:port',
    read: addresses,
    missing: '',
  },
  partitions: { name: 'LACUNA_PARTITIONS', meaning: 'partitions of a topic when it is made', read: wholeNumber(1, 1_000), missing: '3' },
  logLevel: {
    name: 'LACUNA_LOG_LEVEL',
    meaning: 'least level that is logged',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    missing: 'info',
  },
  crashPoint: { name: 'LACUNA_CRASH_POINT', meaning: 'tests only: where the process kills itself', read: crashPoint, missing: null },
  runId: { name: 'LACUNA_RUN_ID', meaning: 'a name for this run, on every log line', read: text, missing: null },
} as const satisfies Readonly<Record<string, ConfigKey<unknown>>>;
