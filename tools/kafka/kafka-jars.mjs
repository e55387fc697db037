import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { KAFKA_VERSION } from './kafka-settings.mjs';

const DOWNLOAD_WITHIN_MS = 600_000;

/** Outside the checkout, so that a fresh clone has them at once. */
export function jarsFolder(env = process.env) {
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return join(cache, 'lacuna', `kafka-${KAFKA_VERSION}`);
}

/**
 * Downloads Kafka with Maven when it is not there. It arrives under another name and is renamed when it is whole.
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the folder of the jars
 */
export async function kafkaJars(say) {
  const whole = jarsFolder();
  if (existsSync(whole)) return whole;
  say(`Kafka: downloading ${KAFKA_VERSION} with Maven`);
  const began = performance.now();
  mkdirSync(dirname(whole), { recursive: true });
  dropOldParts(whole);
  const part = mkdtempSync(`${whole}.part-`);
  try {
    const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
    await promisify(execFile)(
      'mvn',
      ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${part}`, '-DincludeScope=runtime'],
      { timeout: DOWNLOAD_WITHIN_MS, cwd: part },
    ).catch((error) => {
      throw new Error(
        `Maven could not download Kafka: ${`${error.stdout ?? ''}${error.stderr ?? ''}`.trim().split('\n').slice(0, 5).join('\n') || error.message}`,
      );
    });
    try {
      renameSync(part, whole);
    } catch (error) {
      if (!existsSync(whole)) throw error;
    }
    say(`Kafka: downloaded in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return whole;
}

/** What an interrupted download left behind.
 * @param {string} whole */
function dropOldParts(whole) {
  for (const name of readdirSync(dirname(whole))) {
    const part = join(dirname(whole), name);
    const isOld = name.startsWith(`${basename(whole)}.part-`) && statSync(part).mtimeMs < Date.now() - 2 * DOWNLOAD_WITHIN_MS;
    if (isOld) rmSync(part, { recursive: true, force: true });
  }
}
