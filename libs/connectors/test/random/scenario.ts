/** A random search: an API of some kind, what stands in its table, what moves during the read, and what goes wrong. */
import fc from 'fast-check';

export const KINDS = ['token', 'last-row', 'url', 'snapshot', 'overlap', 'offset', 'page', 'single', 'offset-untested'] as const;
export type Kind = (typeof KINDS)[number];

/** Each leaves a trace that a guard or a statement of the contract knows. */
export const FAULTS = [
  'unavailable',
  'forbidden',
  'rate-limited',
  'expired',
  'html',
  'cut-json',
  'no-items',
  'row-without-id',
  'empty-body',
  'partial-flag',
  'shards',
  'flag-missing',
  'timed-out-flag',
  'repeated-page',
  'cycle',
  'off-origin',
  'contradiction',
  'rows-left-out',
  'too-long',
  'cut-connection',
  'duplicate-member',
  'error-in-success',
  'swapped-rows',
  'row-again',
  'other-snapshot',
  'field-missing',
  'half-agreement',
  'merged-away',
  'job-running',
  'filter-ignored',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What is weak about the register itself. */
export const WEAKNESSES = [
  'none',
  'approximate',
  'lag-unknown',
  'lag-too-long',
  'unattested',
  'narrower',
  'hazard',
  'requires',
  'cap',
  'unsafe',
] as const;
export type Weakness = (typeof WEAKNESSES)[number];

export const BUDGETS = ['wide', 'pages', 'records', 'bytes', 'time'] as const;

export interface Move {
  /** Before this request is answered, from 0. */
  readonly before: number;
  readonly what: 'insert-first' | 'insert-last' | 'delete' | 'to-first' | 'to-last';
  /** Which row, as a share of the table. */
  readonly at: number;
}

export interface Scenario {
  readonly kind: Kind;
  readonly rows: number;
  readonly size: number;
  /** Position of the wanted record, as a share of the table; null: it is not there. */
  readonly target: number | null;
  readonly total: boolean;
  readonly moves: readonly Move[];
  readonly fault: { readonly at: number; readonly what: Fault } | null;
  readonly weakness: Weakness;
  readonly budget: (typeof BUDGETS)[number];
}

/** Drawn more often, for they are met more rarely. */
const OFTEN: readonly Fault[] = ['other-snapshot', 'cycle', 'expired', 'repeated-page', 'merged-away', 'forbidden', 'too-long'];
const faults = fc.constantFrom(...FAULTS, ...OFTEN);

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const moves = fc.array(
  fc.record({
    before: fc.nat({ max: 6 }),
    what: fc.constantFrom<Move['what'][]>('insert-first', 'insert-last', 'delete', 'to-first', 'to-last'),
    at: share,
  }),
  { maxLength: 2 },
);
const shape = {
  kind: fc.constantFrom(...KINDS, 'offset-untested' as const),
  rows: fc.nat({ max: 14 }),
  size: fc.integer({ min: 1, max: 4 }),
  target: fc.option(share, { freq: 2 }),
  total: fc.boolean(),
};

/** Some faults need a kind, and a page that is not the first. */
const fitting = (scenario: Scenario): Scenario => {
  const { fault } = scenario;
  const behind = (kind: Kind): Scenario => ({ ...scenario, kind, rows: scenario.rows + 3, fault: fault && { ...fault, at: fault.at + 1 } });
  switch (fault?.what) {
    case 'off-origin':
      return { ...scenario, kind: 'url' };
    case 'contradiction':
      return { ...scenario, kind: 'token' };
    case 'rows-left-out':
      // An insert could make good for the total what is left out: nobody could see that.
      return { ...scenario, moves: [] };
    case 'other-snapshot':
      return behind('snapshot');
    case 'cycle':
      return behind(scenario.total ? 'token' : 'url');
    case 'expired':
      return behind('token');
    default:
      return scenario.kind === 'offset-untested' ? { ...scenario, total: true } : scenario;
  }
};

/** Whatever may go wrong. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    ...shape,
    moves,
    fault: fc.option(fc.record({ at: fc.nat({ max: 2 }), what: faults }), { freq: 4 }),
    weakness: fc.oneof({ weight: 6, arbitrary: fc.constant<Weakness>('none') }, { weight: 3, arbitrary: fc.constantFrom(...WEAKNESSES) }),
    budget: fc.oneof({ weight: 7, arbitrary: fc.constant('wide' as const) }, { weight: 3, arbitrary: fc.constantFrom(...BUDGETS) }),
  })
  .map(fitting);

/** Nothing moves and nothing goes wrong, and the contract can support a no-match. */
export const clean: fc.Arbitrary<Scenario> = fc.record({
  ...shape,
  kind: fc.constantFrom(...KINDS.filter((kind) => kind !== 'offset-untested')),
  moves: fc.constant([]),
  fault: fc.constant(null),
  weakness: fc.constant('none' as const),
  budget: fc.constant('wide' as const),
});
