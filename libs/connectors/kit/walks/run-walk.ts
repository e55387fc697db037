/** One walk file run: the real search and the real decision against a real local server. What is expected is looked at afterwards only. */
import { decide, type Decision, type IdentifierProblem } from '@lacuna/evidence';
import type { Json } from '../register/layers/merge-rules.js';
import type { SecretReference } from '../register/connect.js';
import type { DocumentSource, RegisterDocument } from '../register/register-document.js';
import { hashedRegister } from '../search/hashed-register.js';
import { QuestionRefusedError, search } from '../search/search.js';
import { fits, type SeenRequest } from './request-pattern.js';
import { WalkClock } from './walk-clock.js';
import { addressOf } from './walk-defaults.js';
import type { Expectation, Walk } from './walk-file.js';
import { isTooLate, WalkServer } from './walk-server.js';

/** Of a time-out that a walk shows: its clock moves by the contract's own. */
const REAL_TIMEOUT_MS = 400;
const WALK_MS_MAX = 60_000;

export interface WalkRequest {
  readonly source: string;
  readonly method: string;
  readonly url: string;
  readonly body: Json;
}

export interface WalkResult {
  readonly name: string;
  readonly case: string | null;
  readonly twin: boolean;
  readonly passed: boolean;
  /** What differs from what is expected. */
  readonly differences: readonly string[];
  /** Null: the question was refused. */
  readonly verdict: Decision['verdict'] | null;
  readonly expected: Decision['verdict'];
  readonly reasons: readonly string[];
  readonly count: number | null;
  readonly refused: boolean;
  readonly requests: readonly WalkRequest[];
  /** Ordered answers that nobody asked for: no failure. */
  readonly unused: number;
}

export const runWalk = async (walk: Walk): Promise<WalkResult> => {
  const clock = new WalkClock(walk.clock.startAt);
  const seen: SeenRequest[] = [];
  const unscripted: SeenRequest[] = [];
  const servers = new Map(
    walk.register.sources.map((source): [string, WalkServer] => {
      const responses = walk.responses[source.name] ?? [];
      return [
        source.name,
        new WalkServer({ source: source.name, responses, clock, requestTimeoutMs: timeoutOf(source), seen, unscripted }),
      ];
    }),
  );
  try {
    await Promise.all([...servers.values()].map((server) => server.start()));
    const decision = await decided(walk, servers, clock);
    const outcome = { ...decision, refused: walk.refused, requests: seen, unscripted };
    const differences = differencesOf(outcome, walk.expect);
    return {
      name: walk.name,
      case: walk.case ?? null,
      twin: walk.twin,
      passed: differences.length === 0,
      differences,
      verdict: outcome.verdict,
      expected: walk.expect.verdict,
      reasons: outcome.reasons,
      count: outcome.count,
      refused: walk.refused,
      requests: seen.map(({ source, method, url, body }) => ({ source, method, url, body })),
      unused: [...servers.values()].reduce((sum, server) => sum + server.unused, 0),
    };
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
};

type Decided = Pick<WalkResult, 'verdict' | 'reasons' | 'count'> & { readonly problem: string | null };

const decided = async (walk: Walk, servers: ReadonlyMap<string, WalkServer>, clock: WalkClock): Promise<Decided> => {
  const register = hashedRegister(withRealTimeouts(walk));
  const { kind, identifiers, needsAsOfMs } = walk.question;
  const asked = Object.entries(identifiers).map(([name, value]) => ({ name, value }));
  const needsAsOf = needsAsOfMs === undefined ? {} : { needsAsOf: new Date(clock.now().getTime() + needsAsOfMs).toISOString() };
  const faults: string[] = [];
  try {
    const { evidence } = await search({
      register,
      question: { kind, identifiers: asked, ...needsAsOf },
      reach: {
        secrets: secretsFor(servers),
        egress: { hosts: new Set([...servers.values()].map(({ host }) => host)), networks: [] },
        rateLimiter: clock,
      },
      clock,
      sleep: clock.sleep,
      random: () => 1,
      signal: AbortSignal.timeout(WALK_MS_MAX),
      told: (error) => faults.push(String(error)),
    });
    const { verdict, reasons, accepted, count } = decide(evidence, register, clock.now().toISOString());
    const codes = [...new Set([...reasons, ...accepted].map(({ code }) => code))];
    return { verdict, reasons: codes, count, problem: faults[0] === undefined ? null : `a fault of the engine: ${faults[0]}` };
  } catch (error) {
    if (!(error instanceof QuestionRefusedError)) throw error;
    return refusedQuestion(error);
  }
};

/** About the names: the walk file is wrong. */
const NAME_PROBLEMS: readonly IdentifierProblem['problem'][] = ['unknown', 'missing', 'duplicated'];

/** A value that is none of its identifier is not asked; were it, it would be decided so. */
const refusedQuestion = ({ problems, message }: QuestionRefusedError): Decided =>
  problems.some(({ problem }) => NAME_PROBLEMS.includes(problem))
    ? { verdict: null, reasons: [], count: null, problem: `the question was refused: ${message}` }
    : { verdict: 'evidence-hold', reasons: ['identity-unvalidated'], count: null, problem: null };

const timeoutOf = ({ connect }: DocumentSource): number => (connect.type === 'http' ? connect.requestTimeoutMs : Infinity);

const withRealTimeouts = ({ register, responses }: Walk): RegisterDocument => ({
  ...register,
  sources: register.sources.map((source) => {
    const { connect } = source;
    if (connect.type !== 'http' || !isTooLate(responses[source.name] ?? [], connect.requestTimeoutMs)) return source;
    return { ...source, connect: { ...connect, requestTimeoutMs: Math.min(connect.requestTimeoutMs, REAL_TIMEOUT_MS) } };
  }),
});

/** The addresses of sources are their servers; any other that ends in _URL is a token endpoint there; every other secret is made up. */
const secretsFor =
  (servers: ReadonlyMap<string, WalkServer>) =>
  (reference: SecretReference): string | null => {
    if ('file' in reference) return 'secret of a file';
    const entries = [...servers];
    const [, own] = entries.find(([name]) => addressOf(name) === reference.env) ?? [];
    if (own) return own.origin;
    return reference.env.endsWith('_URL') ? `${entries[0]?.[1].origin}/token` : `secret-${reference.env}`;
  };

interface Outcome extends Decided {
  readonly refused: boolean;
  readonly requests: readonly SeenRequest[];
  readonly unscripted: readonly SeenRequest[];
}

const differencesOf = (outcome: Outcome, expect: Expectation): readonly string[] => {
  const { verdict, reasons, count, problem, refused, requests, unscripted } = outcome;
  const found: string[] = problem === null ? [] : [problem];
  if (verdict !== expect.verdict) found.push(`verdict ${verdict ?? 'none'} instead of ${expect.verdict}`);
  for (const code of expect.reasons ?? []) if (!reasons.includes(code)) found.push(`no reason ${code}`);
  for (const code of expect.not ?? []) if (reasons.includes(code)) found.push(`reason ${code}`);
  const exactly = expect.reasonsExactly;
  if (exactly && [...exactly].sort().join() !== [...reasons].sort().join()) found.push(`reasons are not exactly ${exactly.join(', ')}`);
  if (expect.count !== undefined && expect.count !== count) found.push(`count ${count ?? 'none'} instead of ${expect.count ?? 'none'}`);
  if (expect.refused !== refused) found.push(refused ? 'the register would be refused when loaded' : 'the register would be loaded');
  if (!expect.unscripted) found.push(...unscripted.slice(0, 5).map(({ method, url }) => `no answer is scripted for ${method} ${url}`));
  else if (unscripted.length === 0) found.push('every request was scripted');
  return [...found, ...requestDifferences(requests, expect.requests)];
};

const requestDifferences = (requests: readonly SeenRequest[], expected: Expectation['requests']): readonly string[] => {
  if (expected === undefined) return [];
  const count = typeof expected === 'number' ? expected : expected.length;
  const found = requests.length === count ? [] : [`${requests.length} requests instead of ${count}`];
  if (typeof expected === 'number') return found;
  return [
    ...found,
    ...expected.flatMap((pattern, at) => {
      const seen = requests[at];
      return seen === undefined || fits(seen, pattern) ? [] : [`request ${at + 1} is not ${JSON.stringify(pattern)}`];
    }),
  ];
};
