import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKafka } from '../../../tools/kafka.mjs';
import { freshTopic, kafkaLog, message, NotingHandler, testBrokers, until } from '../test/test-kafka.js';
import type { KafkaSettings } from './kafka-settings.js';

const USER = { mechanism: 'plain', username: 'lacuna', password: 'of-tests-only' } as const;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const SELF_SIGNED = [
  'req',
  '-x509',
  '-newkey',
  'rsa:2048',
  '-nodes',
  '-days',
  '2',
  '-subj',
  '/CN=localhost',
  '-addext',
  'subjectAltName=DNS:localhost',
];

/** A key and a certificate that it signed itself: its certificate is its authority. */
function certificate(folder: string, name: string): { both: string; ca: string } {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  execFileSync('openssl', [...SELF_SIGNED, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const both = join(folder, `${name}.pem`);
  writeFileSync(both, `${readFileSync(key, 'utf8')}${readFileSync(cert, 'utf8')}`);
  return { both, ca: readFileSync(cert, 'utf8') };
}

/** Free a moment ago: a broker's ports must be known before it starts. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function secureSettings(keystore: string) {
  const [port, securePort, controllerPort] = [await freePort(), await freePort(), await freePort()];
  const secure = 'listener.name.secure';
  const extraSettings = {
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort},SECURE://127.0.0.1:${securePort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port},SECURE://localhost:${securePort}`,
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL',
    [`${secure}.sasl.enabled.mechanisms`]: 'PLAIN',
    [`${secure}.plain.sasl.jaas.config`]: `org.apache.kafka.common.security.plain.PlainLoginModule required user_${USER.username}="${USER.password}";`,
    [`${secure}.ssl.keystore.type`]: 'PEM',
    [`${secure}.ssl.keystore.location`]: keystore,
  };
  return { port, securePort, extraSettings };
}

describe.skipIf(testBrokers().length === 0 || !hasOpenssl || process.env.KAFKA_BROKERS)('a Kafka that asks for TLS and a password', () => {
  let folder: string;
  let brokers: string[];
  let ca: string;
  let otherCa: string;
  let kafka: Awaited<ReturnType<typeof startKafka>>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lacuna-tls-'));
    const server = certificate(folder, 'server');
    [ca, otherCa] = [server.ca, certificate(folder, 'other').ca];
    const { port, securePort, extraSettings } = await secureSettings(server.both);
    kafka = await startKafka({ own: true, port, extraSettings });
    brokers = [`localhost:${securePort}`];
  });
  afterAll(async () => {
    await kafka?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  // Fails if the settings do not reach every connection: admin, sender and consumer each make their own.
  it('is written and read with its certificate and a password', async () => {
    const log = kafkaLog(brokers, { ssl: { ca }, sasl: USER });
    await log.start();
    const topic = await freshTopic(log, 1);
    await log.publish([message(topic, 'k', 'one')]);
    const handler = new NotingHandler();
    await log.consume({ group: topic, topics: [topic], handler, batchMessagesMax: 10, onFatal: () => undefined });
    await until('it is read', () => handler.texts().includes('one'));
    expect((await log.read({ topic, partition: 0 }, 0n, 10)).map(({ value }) => String(value))).toEqual(['one']);
    await log.stop();
  });

  // Fails if anybody in between can pretend to be Kafka, or a wrong setting hangs instead of saying what is wrong.
  it.each<[string, () => Partial<KafkaSettings>, string]>([
    ['a certificate that somebody else signed', () => ({ ssl: { ca: otherCa }, sasl: USER }), 'check LACUNA_KAFKA_CA_FILE'],
    ['a certificate that nobody known signed', () => ({ ssl: true, sasl: USER }), 'check LACUNA_KAFKA_CA_FILE'],
    [
      'a wrong password',
      () => ({ ssl: { ca }, sasl: { ...USER, password: 'wrong' } }),
      'check LACUNA_KAFKA_USER and LACUNA_KAFKA_PASSWORD',
    ],
    ['no password', () => ({ ssl: { ca } }), 'Closed connection'],
  ])('does not take %s, and says so in one line, soon', async (_what, settings, advice) => {
    const log = kafkaLog(brokers, settings());
    const error = await log.start().then(
      () => null,
      (caught: unknown) => caught as Error,
    );
    await log.stop().catch(() => undefined);
    await log.stop().catch(() => undefined);
    expect(error?.message).toMatch(/^[^\n]+$/);
    expect(error?.message).toContain(advice);
    expect(error?.message).not.toContain(USER.password);
  });
});
