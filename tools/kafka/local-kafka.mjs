import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort, lastLines, ServerStartError, spawnServer } from '@lacuna/embedded/child-server';
import { javaCommand } from './find-kafka.mjs';
import { kafkaSettings, toProperties } from './kafka-settings.mjs';

/**
 * A Kafka that we run ourselves, in whichever way.
 * @typedef {object} KafkaNode
 * @property {string} brokers
 * @property {() => number | null} pid
 * @property {() => Promise<void>} start
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} kill9
 * @property {() => Promise<void>} remove what it kept on disk, where that was temporary
 * @property {() => string | undefined} clusterId where it is known: another Kafka may hold the port
 * @property {() => string | undefined} ended why it is not running
 * @property {() => Promise<string>} log its last lines
 */

const LOG4J = `rootLogger.level=INFO
rootLogger.appenderRef.console.ref=console
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d{ISO8601} %p %m (%c{1})%n
`;

/**
 * @param {string} jars
 * @param {{ dataFolder?: string, port?: number, extraSettings?: Record<string, string | number | boolean> }} options
 * @returns {Promise<KafkaNode>}
 */
export async function localKafka(jars, { dataFolder, port: askedPort, extraSettings }) {
  const room = dataFolder === undefined ? mkdtempSync(join(tmpdir(), 'lacuna-kafka-')) : resolve(dataFolder);
  const logFolder = join(room, 'data');
  const properties = join(room, 'server.properties');
  const log4j = join(room, 'log4j2.properties');
  const logFile = join(room, 'server.log');
  const java = ['-Xmx512m', `-Dlog4j2.configurationFile=${log4j}`, '-cp', join(jars, '*')];
  const [port, controllerPort] = [askedPort ?? (await freePort()), await freePort()];
  mkdirSync(room, { recursive: true });
  writeFileSync(log4j, LOG4J);
  writeFileSync(properties, toProperties(kafkaSettings({ port, controllerPort, logFolder }, extraSettings)));

  /** @type {import('@lacuna/embedded/child-server').ChildServer | undefined} */
  let server;
  /** @type {string | undefined} */
  let ended;
  return {
    brokers: `127.0.0.1:${port}`,
    pid: () => server?.pid ?? null,
    start: async () => {
      if (!existsSync(join(logFolder, 'meta.properties'))) await format(java, properties);
      ended = undefined;
      server = await spawnServer({
        command: javaCommand(),
        args: [...java, 'kafka.Kafka', properties],
        logFile,
        stopSignal: 'SIGTERM',
        removeAfter: dataFolder === undefined ? room : undefined,
      });
      void server.ended.then((how) => (ended = how));
    },
    stop: async () => server?.stop(),
    kill9: async () => server?.kill9(),
    remove: async () => {
      if (dataFolder === undefined) rmSync(room, { recursive: true, force: true });
    },
    clusterId: () => /^cluster\.id=(.+)$/m.exec(readFileSync(join(logFolder, 'meta.properties'), 'utf8'))?.[1],
    ended: () => ended,
    log: async () => lastLines(logFile, 20),
  };
}

/** Gives the data folder its identity; where an earlier try was interrupted, the rest of it.
 * @param {string[]} java
 * @param {string} properties */
async function format(java, properties) {
  const id = randomBytes(16).toString('base64url');
  const args = [...java, 'kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', id, '-c', properties];
  await promisify(execFile)(javaCommand(), args, { timeout: 60_000 }).catch((error) => {
    throw new ServerStartError(
      `Kafka could not format its folder: ${`${error.stderr}${error.stdout}`.trim().split('\n').slice(-20).join('\n') || error.message}`,
    );
  });
}
