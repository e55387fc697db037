/**
 * One row of the summary. A row without counts says what was found.
 * @typedef {object} Row
 * @property {string} name
 * @property {number} seconds
 * @property {number} [passed]
 * @property {number} [failed]
 * @property {number} [skipped]
 * @property {string} [note]
 */

/** @param {Row[]} rows */
export function totals(rows) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) => rows.reduce((total, row) => total + (row[key] ?? 0), 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The last line of the output. A run that did nothing has failed.
 * @param {{ passed: number, failed: number, skipped: number }} total */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** @param {Row[]} rows */
export function table(rows) {
  const width = Math.max(...rows.map((row) => row.name.length), 4);
  const line = (/** @type {(string | number | undefined)[]} */ [name, seconds, passed, failed, skipped, note]) =>
    `${String(name).padEnd(width)}${[seconds, passed, failed, skipped].map((cell) => String(cell ?? '').padStart(9)).join('')}  ${note ?? ''}`.trimEnd();
  return [
    line(['step', 'seconds', 'passed', 'failed', 'skipped', '']),
    ...rows.map((row) => line([row.name, row.seconds.toFixed(1), row.passed, row.failed, row.skipped, row.note])),
  ].join('\n');
}

/**
 * What Vitest's JSON reporter wrote, as one row. A file that could not be loaded is one failure, and so is a run that ended badly without
 * a failed test, or that ran none.
 * @param {string} name
 * @param {number} seconds
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: { status: string, assertionResults: unknown[] }[] } | undefined} report
 * @param {boolean} exitedWell
 * @returns {Row}
 */
export function suiteRow(name, seconds, report, exitedWell) {
  if (!report) return { name, seconds, failed: 1, note: 'Vitest wrote no report' };
  const passed = report.numPassedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  const unloaded = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0).length;
  const failed = report.numFailedTests + unloaded;
  if (passed + failed === 0) return { name, seconds, failed: 1, skipped, note: 'no test ran' };
  if (failed === 0 && !exitedWell) return { name, seconds, passed, failed: 1, skipped, note: 'an error outside of any test' };
  return { name, seconds, passed, failed, skipped };
}
