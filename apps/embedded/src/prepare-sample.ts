/** Loads the sample table with the indexes that the example registers look it up by, once: `node apps/embedded/dist/prepare-sample.js`. */
import { secretsOf } from '@lacuna/connectors';
import { loadSample } from '@lacuna/sample-source';
import { lookupIndexes } from './start-embedded.js';

const VARIABLE = 'LACUNA_SOURCE_SAMPLE_DATABASE_URL';

try {
  const url = secretsOf(process.env)({ env: VARIABLE });
  if (url === null) throw new Error(`no database: set ${VARIABLE}, or ${VARIABLE}_FILE to a file that holds it`);
  const { rows, outcome, elapsedMs } = await loadSample(url, { extraStatements: lookupIndexes() });
  process.stdout.write(`sample table: ${rows} service requests, ${outcome} (${elapsedMs} ms)\n`);
} catch (error) {
  process.stderr.write(`prepare-sample: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
