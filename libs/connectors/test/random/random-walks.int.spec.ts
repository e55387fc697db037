/**
 * Random contracts, tables, moves and faults over a real HTTP server, with the wanted record planted or not.
 * 1. No `scoped-no-match` while the record stood in the table from before the first request on.
 * 2. Where nothing moves and nothing goes wrong, a contract that can support a no-match gives one, every time.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decide, type Decision, type Evidence } from '@lacuna/evidence';
import { sha256Of } from '@lacuna/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashedRegister, search } from '../../kit/index.js';
import { ModelApi, PART, WANTED } from './model-api.js';
import { registerOf } from './random-register.js';
import { clean, scenarios, type Scenario } from './scenario.js';

const RUNS = 10_000;
const CLEAN_RUNS = 600;
const LEAST_OF_EACH = 50;
/** The clock moves by this for each request. */
const REQUEST_MS = 2;
/** What a walk over these models can end by, or leave open. Reasons of several sources, jobs and writes have their own tests. */
const PRODUCIBLE = [
  'end-signalled',
  'match-found',
  'budget-pages',
  'budget-records',
  'budget-bytes',
  'budget-time',
  'cursor-repeated',
  'page-duplicated',
  'cursor-expired',
  'boundary-changed',
  'drift-possible',
  'order-unproven',
  'total-changed',
  'total-mismatch',
  'metadata-missing',
  'end-signals-conflict',
  'no-progress',
  'response-invalid',
  'cap-reached',
  'truncated',
  'timed-out',
  'error-in-success',
  'continuation-off-origin',
  'source-unavailable',
  'source-forbidden',
  'rate-limited',
  'partial-answer',
  'sub-source-unreachable',
  'field-unavailable',
  'job-unfinished',
  'method-approximate',
  'predicate-narrower',
  'filter-not-applied',
  'scope-unverified',
  'value-unsafe',
  'visibility-limited',
  'within-index-lag',
  'replica-lag-unknown',
  'identity-ambiguous',
  'merge-unreadable',
];

let api: ModelApi;
let server: Server;
let url: string;
let nowMs = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    nowMs += REQUEST_MS;
    api.answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const counts = new Map<string, number>();
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);

const walked = async (scenario: Scenario): Promise<{ readonly decision: Decision; readonly evidence: Evidence }> => {
  api = new ModelApi(scenario);
  nowMs = Date.parse('2026-06-01T12:00:00.000Z');
  const register = hashedRegister(registerOf(scenario));
  const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
  const faults: unknown[] = [];
  const { evidence } = await search({
    register,
    question: {
      identifiers: [
        { name: 'key', value: WANTED.toLowerCase() },
        { name: 'part', value: PART },
      ],
    },
    reach: { secrets: () => url, egress: { hosts: new Set([new URL(url).host]), networks: [] } },
    clock,
    sleep: async (ms) => void (nowMs += ms),
    random: () => 1,
    told: (error) => faults.push(error),
  });
  if (faults.length > 0) throw faults[0];
  const decision = decide(evidence, register, clock.now().toISOString());
  count(`verdict ${decision.verdict}`);
  for (const reason of new Set([...decision.reasons, ...decision.accepted].map(({ code }) => code))) count(reason);
  return { decision, evidence };
};

/** Pages without end, the first ones with a record each. */
const endless = async (withRecords: number): Promise<Decision> => {
  const scenario: Scenario = {
    kind: 'token',
    rows: 0,
    size: 1,
    target: null,
    total: false,
    moves: [],
    fault: null,
    weakness: 'none',
    budget: 'wide',
  };
  const document = registerOf(scenario);
  const register = hashedRegister({ ...document, budget: { ...document.budget, pagesMax: 5_000 } });
  const at = '2026-06-01T12:00:00.000Z';
  let page = 0;
  const { evidence } = await search({
    register,
    question: {
      identifiers: [
        { name: 'key', value: WANTED.toLowerCase() },
        { name: 'part', value: PART },
      ],
    },
    newReader: () => ({
      open: async () => ({ type: 'opened', method: 'enumeration' }),
      read: async () => {
        page += 1;
        const values = { key: `other-${page}`, part: PART };
        const row = { recordId: String(page), version: null, status: null, followedTo: null, values };
        const digest = sha256Of(`page ${page}`);
        return {
          type: 'page',
          rows: page <= withRecords ? [row] : [],
          observed: { bytes: 2, end: 'continues', total: null, snapshot: null, reasons: [] },
          next: { cursor: String(page), fingerprint: digest },
          requestFingerprint: digest,
          cursorFingerprint: null,
          bodySha256: digest,
          startedAt: at,
          endedAt: at,
          status: 200,
          remarks: null,
        };
      },
      close: async () => undefined,
    }),
    clock: { now: () => new Date(at), monotonicMs: () => 0 },
  });
  const decision = decide(evidence, register, at);
  for (const reason of new Set(decision.reasons.map(({ code }) => code))) count(reason);
  return decision;
};

describe('a random search', () => {
  it(`never says scoped-no-match while the record is there, over ${RUNS} of them`, async () => {
    const property = fc.asyncProperty(scenarios, async (scenario) => {
      const { verdict } = (await walked(scenario)).decision;
      if (api.hasTarget) expect(verdict).not.toBe('scoped-no-match');
    });
    await fc.assert(property, { numRuns: RUNS });
  }, 600_000);

  it('supports a no-match, or finds the record, where nothing goes wrong', async () => {
    const property = fc.asyncProperty(clean, async (scenario) => {
      const { verdict } = (await walked(scenario)).decision;
      expect(verdict).toBe(api.hasTarget ? 'match-review' : 'scoped-no-match');
    });
    await fc.assert(property, { numRuns: CLEAN_RUNS });
  }, 600_000);

  // Without a server: a thousand pages a walk would be an hour of requests.
  it('stops without progress after a thousand empty pages, however many records came before', async () => {
    const property = fc.asyncProperty(fc.nat({ max: 20 }), async (withRecords) => {
      const { verdict, reasons } = await endless(withRecords);
      expect([verdict, reasons.map(({ code }) => code)]).toEqual(['evidence-hold', ['no-progress']]);
    });
    await fc.assert(property, { numRuns: LEAST_OF_EACH });
  }, 600_000);

  // Fails if the harness lets anything through: what simple code does must be caught by it.
  it.each<[string, (evidence: Evidence) => boolean]>([
    ['nothing seen is nothing there', ({ pages }) => pages.every(({ rows }) => rows.length === 0)],
    [
      'a search that ended is whole',
      ({ pages, ended }) => ended?.sources[0]?.stopReason === 'end-signalled' && pages.every(({ rows }) => rows.length === 0),
    ],
  ])(
    'is failed by the decider for which %s (negative control)',
    async (_name, saysAbsent) => {
      const property = fc.asyncProperty(scenarios, async (scenario) => {
        const { evidence } = await walked(scenario);
        return !(api.hasTarget && saysAbsent(evidence));
      });
      expect((await fc.check(property, { numRuns: 2_000, endOnFailure: true })).failed).toBe(true);
    },
    600_000,
  );

  // Fails if the scenarios no longer reach what they are there for: a property that is never tried is no proof.
  it(`came to each reason and verdict at least ${LEAST_OF_EACH} times`, () => {
    const lines = [...counts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([what, times]) => `${String(times).padStart(6)}  ${what}`);
    process.stdout.write(`how often each came:\n${lines.join('\n')}\n`);
    const wanted = ['verdict match-review', 'verdict scoped-no-match', 'verdict evidence-hold', ...PRODUCIBLE];
    expect(wanted.filter((what) => (counts.get(what) ?? 0) < LEAST_OF_EACH).map((what) => `${what}: ${counts.get(what) ?? 0}`)).toEqual([]);
  });
});
