import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { runNode } from './children.mjs';
import { suiteRow } from './summary.mjs';
import { walk } from './walk.mjs';

export const suites = /** @type {const} */ (['unit', 'int', 'e2e']);

const WITHIN_SECONDS = 3600;

/**
 * Runs one project of vitest.config.ts.
 * @param {string} project
 * @param {{ env: Record<string, string>, leaveOut: string[], showOn: NodeJS.WriteStream }} options leaveOut: files
 * @returns {Promise<import('./summary.mjs').Row>}
 */
export async function runSuite(project, { env, leaveOut, showOn }) {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-vitest-'));
  const reportFile = join(folder, 'report.json');
  try {
    const { ok } = await runNode(
      [
        join('node_modules', 'vitest', 'vitest.mjs'),
        ...['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`],
        ...leaveOut.map((file) => `--exclude=${file}`),
      ],
      { withinSeconds: WITHIN_SECONDS, env, showOn },
    );
    return suiteRow(project, (performance.now() - began) / 1000, readReport(reportFile), ok);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The test files of a suite that cannot run without Kafka, and do not see to that themselves.
 * @param {string} project */
export function filesThatNeedKafka(project) {
  const [folders, ending] = project === 'int' ? [['apps', 'libs'], '.int.spec.ts'] : [['e2e'], '.e2e.ts'];
  return folders
    .flatMap((folder) => walk(root, folder))
    .filter(({ path }) => path.endsWith(ending) && needsKafka(readFileSync(join(root, path), 'utf8')))
    .map(({ path }) => path);
}

/** @param {string} text */
export function needsKafka(text) {
  return /kafka/i.test(text) && !text.includes('skipIf(!process.env.LACUNA_TEST_KAFKA_BROKERS)');
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
