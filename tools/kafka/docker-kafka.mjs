import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort, NO_LOG } from '@lacuna/embedded/child-server';
import { KAFKA_VERSION, kafkaSettings, toContainerEnv } from './kafka-settings.mjs';

const DATA = '/var/lib/kafka/data';
const PULL_WITHIN_MS = 600_000;

/**
 * The arguments of `docker run` for one node. Inside the container its ports are fixed; `port` is the one outside.
 * @param {{ name: string, port: number, dataFolder?: string, extraSettings?: Record<string, string | number | boolean> }} options
 */
export function dockerRunArguments({ name, port, dataFolder, extraSettings }) {
  const settings = kafkaSettings(
    { port: 9092, controllerPort: 9093, advertisedPort: port, listenOn: '0.0.0.0', logFolder: DATA },
    extraSettings,
  );
  return [
    ...['run', '--detach', '--name', name, '--publish', `127.0.0.1:${port}:9092`],
    ...(dataFolder === undefined ? [] : ['--volume', `${resolve(dataFolder)}:${DATA}`]),
    ...[...toContainerEnv(settings), 'KAFKA_HEAP_OPTS=-Xmx512m'].flatMap((variable) => ['--env', variable]),
    `apache/kafka:${KAFKA_VERSION}`,
  ];
}

/**
 * @param {{ dataFolder?: string, port?: number, extraSettings?: Record<string, string | number | boolean> }} options
 * @returns {Promise<import('./local-kafka.mjs').KafkaNode>}
 */
export async function dockerKafka({ dataFolder, port: askedPort, extraSettings }) {
  const docker = async (/** @type {string[]} */ ...args) => {
    const running = promisify(execFile)('docker', args, { timeout: PULL_WITHIN_MS });
    const { stdout } = await running.catch((error) => {
      throw new Error(`docker ${args[0]}: ${(error.stderr || error.message).trim().split('\n').at(-1)}`);
    });
    return stdout;
  };
  const name = `lacuna-kafka-${randomBytes(4).toString('hex')}`;
  const port = askedPort ?? (await freePort());
  if (dataFolder !== undefined) {
    mkdirSync(dataFolder, { recursive: true });
    chmodSync(dataFolder, 0o777);
  }
  let isMade = false;
  return {
    brokers: `127.0.0.1:${port}`,
    pid: () => null,
    start: async () => {
      if (isMade) return void (await docker('start', name));
      removeWithOwner(name);
      await docker(...dockerRunArguments({ name, port, dataFolder, extraSettings }));
      isMade = true;
    },
    stop: async () => void (await docker('stop', '-t', '10', name)),
    kill9: async () => void (await docker('kill', '--signal', 'KILL', name)),
    remove: async () => void (await docker('rm', '--force', '--volumes', name)),
    clusterId: () => undefined,
    ended: () => undefined,
    log: async () => docker('logs', '--tail', '20', name).catch(() => NO_LOG),
  };
}

/** The container goes when this process ends, however it ends: `sh` waits for the end of a pipe that we hold.
 * @param {string} name */
function removeWithOwner(name) {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; docker rm --force --volumes "$0"', name], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.once('error', () => undefined);
  watcher.unref();
  /** @type {import('node:net').Socket} */ (watcher.stdin).unref();
}
