import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jarsFolder } from './kafka-jars.mjs';

/** No Kafka can be had here; the message says what to install. */
export class NoKafkaError extends Error {}

/** @typedef {{ kind: 'external', brokers: string } | { kind: 'docker' } | { kind: 'local', install: boolean }} FoundKafka */

/**
 * What the machine has.
 * @typedef {object} Machine
 * @property {Record<string, string | undefined>} env
 * @property {() => boolean} hasDocker
 * @property {() => number | undefined} javaVersion the major one
 * @property {() => boolean} hasMaven
 * @property {() => boolean} hasJars
 * @property {() => boolean} canAptInstall
 */

/**
 * In this order: KAFKA_BROKERS, Docker, Java with the jars or Maven to fetch them, Debian's packages of both.
 * @param {Machine} machine
 * @param {{ own?: boolean, withoutDocker?: boolean }} [options] own: not the external one
 * @returns {FoundKafka}
 */
export function findKafka(machine, { own = false, withoutDocker = false } = {}) {
  if (!own && machine.env.KAFKA_BROKERS) return { kind: 'external', brokers: machine.env.KAFKA_BROKERS };
  if (!withoutDocker && machine.hasDocker()) return { kind: 'docker' };
  const java = machine.javaVersion();
  const hasJava = java !== undefined && java >= 17;
  if (hasJava && (machine.hasJars() || machine.hasMaven())) return { kind: 'local', install: false };
  if (machine.canAptInstall()) return { kind: 'local', install: true };
  const missing = [
    ...(hasJava ? [] : [java === undefined ? 'Java 17' : `Java 17 (this is ${java})`]),
    ...(machine.hasJars() || machine.hasMaven() ? [] : ['Maven']),
  ];
  throw new NoKafkaError(`no Kafka here: install ${missing.join(' and ')}, or start Docker, or set KAFKA_BROKERS to a running one`);
}

export function javaCommand(env = process.env) {
  return env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : 'java';
}

/** @type {Machine} */
export const thisMachine = {
  env: process.env,
  hasDocker: () => spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 3000, killSignal: 'SIGKILL' }).status === 0,
  javaVersion: () => {
    const { status, stderr } = spawnSync(javaCommand(), ['-version'], { encoding: 'utf8' });
    const version = status === 0 ? /version "(\d+)/.exec(stderr)?.[1] : undefined;
    return version === undefined ? undefined : Number(version);
  },
  hasMaven: () => spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status === 0,
  hasJars: () => existsSync(jarsFolder()),
  canAptInstall: () => process.getuid?.() === 0 && existsSync('/etc/debian_version') && spawnSync('apt-get', ['--version']).status === 0,
};
