import { describe, expect, it } from 'vitest';
import { lastLine, suiteRow, table, totals } from './summary.mjs';

const report = (counts: Partial<Parameters<typeof suiteRow>[2]> = {}) => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{}, {}, {}] }],
  ...counts,
});

describe('the last line', () => {
  it('names skipped tests only when there are some', () => {
    expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
    expect(lastLine({ passed: 12, failed: 1, skipped: 2 })).toBe('12 passed, 1 failed, 2 skipped');
  });

  it('sums checks and tests, and leaves out rows without counts', () => {
    const rows = [
      { name: 'build', seconds: 1 },
      { name: 'format', seconds: 1, passed: 1 },
      { name: 'unit', seconds: 1, passed: 10, failed: 2, skipped: 3 },
    ];
    expect(totals(rows)).toEqual({ passed: 11, failed: 2, skipped: 3 });
    expect(table(rows).split('\n')).toHaveLength(4);
  });
});

describe('a suite', () => {
  it('counts what Vitest counted', () => {
    expect(suiteRow('unit', 1, report({ numPendingTests: 1, numTodoTests: 1 }), true)).toMatchObject({ passed: 3, failed: 0, skipped: 2 });
  });

  it('has failed when it ran no test', () => {
    expect(suiteRow('unit', 1, report({ numPassedTests: 0, testResults: [] }), true)).toMatchObject({ failed: 1, note: 'no test ran' });
  });

  it('has failed when Vitest wrote no report', () => {
    expect(suiteRow('unit', 1, undefined, true)).toMatchObject({ failed: 1 });
  });

  it('has failed when a file could not be loaded', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }];
    expect(suiteRow('unit', 1, report({ testResults }), false)).toMatchObject({ passed: 3, failed: 1 });
  });

  it('has failed when an error came from outside of any test', () => {
    expect(suiteRow('unit', 1, report(), false)).toMatchObject({ passed: 3, failed: 1, note: 'an error outside of any test' });
  });
});
