import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue, isReasonCode, reasonCodes, reasonOf } from './catalogue.js';

/** Section 2 of the design, "At least". */
const LISTED =
  `end-signalled, match-found, budget-pages, budget-records, budget-bytes, budget-time, cursor-repeated, page-duplicated, no-progress,
cursor-expired, boundary-changed, drift-possible, order-unproven, total-changed, total-mismatch, cap-reached, truncated, timed-out, response-invalid,
error-in-success, metadata-missing, end-signals-conflict, continuation-off-origin, source-unavailable, source-forbidden, rate-limited, partial-answer,
sub-source-unreachable, range-too-wide, recent-unavailable, field-unavailable, from-clamped, job-unfinished, method-approximate, predicate-narrower,
filter-not-applied, scope-unverified, visibility-limited, control-missed, control-stale, ingestion-gap-known, within-index-lag, replica-lag-unknown,
clock-skewed, moved-between-sources, write-in-flight, own-write-missing, identity-unvalidated, identity-ambiguous, register-changed, evidence-incomplete,
evidence-expired`.split(/,\s+/);

describe('the catalogue', () => {
  it('has every code of the design, and four that it lacked', () => {
    const added = ['merge-unreadable', 'match-elsewhere', 'unlisted-reason', 'value-unsafe'];
    expect([...reasonCodes].sort()).toEqual([...LISTED, ...added].sort());
  });

  it('every code is a code that events can carry', () => {
    for (const code of reasonCodes) expect(code).toMatch(/^[a-z][a-z-]{0,62}$/);
  });

  it('only end-signalled is complete, in each of the three fields', () => {
    const complete = reasonCodes.filter((code) => !reasonOf(code).partial || reasonOf(code).coverage === 'complete');
    expect(complete).toEqual(['end-signalled']);
    expect(reasonCodes.filter((code) => catalogue[code].fromClamped)).toEqual(['from-clamped']);
  });

  it('no statement says that something does not exist (V8), and each is a sentence', () => {
    for (const code of reasonCodes) {
      expect(catalogue[code].statement).not.toMatch(/not exist|no such|no match|nothing was found|no record/i);
      expect(catalogue[code].statement).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('everything but an end has someone who acts', () => {
    expect(reasonCodes.filter((code) => catalogue[code].owner === 'nobody')).toEqual(['end-signalled']);
  });

  it('what it says is detected in this library is raised in this library', () => {
    const folder = new URL('.', import.meta.url);
    const files = readdirSync(folder).filter((name) => /\.ts$/.test(name) && !/^catalogue|\.spec\.ts$/.test(name));
    const text = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
    const here = reasonCodes.filter((code) => reasonOf(code).detected && ['walk', 'decide'].includes(reasonOf(code).raisedBy));
    expect(here.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
    expect(here.length).toBeGreaterThan(25);
  });

  it('turns any code that it does not list into a hold, and names of Object.prototype too', () => {
    fc.assert(fc.property(fc.string(), (code) => isReasonCode(code) || reasonOf(code).code === 'unlisted-reason'));
    for (const code of ['__proto__', 'constructor', 'toString', '']) expect(reasonOf(code).code).toBe('unlisted-reason');
    expect(reasonOf('cap-reached')).toMatchObject({ code: 'cap-reached', partial: true });
  });
});
