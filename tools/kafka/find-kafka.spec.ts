import { describe, expect, it } from 'vitest';
import { dockerRunArguments } from './docker-kafka.mjs';
import type { Machine } from './find-kafka.mjs';
import { findKafka, NoKafkaError } from './find-kafka.mjs';
import { jarsFolder } from './kafka-jars.mjs';
import { kafkaSettings, toProperties } from './kafka-settings.mjs';

const aMachine = (has: Partial<Machine> = {}): Machine => ({
  env: {},
  hasDocker: () => false,
  javaVersion: () => undefined,
  hasMaven: () => false,
  hasJars: () => false,
  canAptInstall: () => false,
  ...has,
});
const everything = { hasDocker: () => true, javaVersion: () => 17, hasMaven: () => true, canAptInstall: () => true };

describe('Kafka is looked for', () => {
  it('first in KAFKA_BROKERS', () => {
    const machine = aMachine({ ...everything, env: { KAFKA_BROKERS: 'a:1,b:2' } });
    expect(findKafka(machine)).toEqual({ kind: 'external', brokers: 'a:1,b:2' });
  });

  it('but not there, where it must be one that may be killed', () => {
    const machine = aMachine({ ...everything, env: { KAFKA_BROKERS: 'a:1' } });
    expect(findKafka(machine, { own: true })).toEqual({ kind: 'docker' });
  });

  it('then in Docker', () => {
    expect(findKafka(aMachine(everything))).toEqual({ kind: 'docker' });
  });

  it('then as jars, which Java 17 runs and Maven fetches', () => {
    expect(findKafka(aMachine(everything), { withoutDocker: true })).toEqual({ kind: 'local', install: false });
    expect(findKafka(aMachine({ javaVersion: () => 21, hasJars: () => true }))).toEqual({ kind: 'local', install: false });
  });

  it('then among the packages of Debian', () => {
    expect(findKafka(aMachine({ canAptInstall: () => true }))).toEqual({ kind: 'local', install: true });
  });

  it('and where there is none, it is said what to install', () => {
    expect(() => findKafka(aMachine())).toThrow(NoKafkaError);
    expect(() => findKafka(aMachine())).toThrow('install Java 17 and Maven');
    expect(() => findKafka(aMachine({ javaVersion: () => 11, hasMaven: () => true }))).toThrow('install Java 17 (this is 11), or');
  });
});

describe('a Kafka node', () => {
  const node = { port: 1000, controllerPort: 1001, logFolder: 'C:\\a folder\\data' };

  it('takes settings over its own', () => {
    expect(kafkaSettings(node, { 'message.max.bytes': 5, 'node.id': 2 })).toMatchObject({ 'message.max.bytes': 5, 'node.id': 2 });
  });

  it('has its paths escaped in a properties file', () => {
    expect(toProperties(kafkaSettings(node))).toContain('log.dirs=C:\\\\a folder\\\\data\n');
  });

  it('in a container is reached by the port outside', () => {
    const args = dockerRunArguments({ name: 'kafka-1', port: 12345 });
    expect(args).toContain('127.0.0.1:12345:9092');
    expect(args).toContain('KAFKA_ADVERTISED_LISTENERS=PLAINTEXT://127.0.0.1:12345');
    expect(args.at(-1)).toBe('apache/kafka:4.4.0');
  });

  it('is cached outside of the checkout', () => {
    expect(jarsFolder({ XDG_CACHE_HOME: '/cache' })).toBe('/cache/lacuna/kafka-4.4.0');
    expect(jarsFolder({ HOME: '/home/a' })).toBe('/home/a/.cache/lacuna/kafka-4.4.0');
  });
});
