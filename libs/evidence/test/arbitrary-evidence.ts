/** Random generations for the properties: several sources, roles, attempts, stops, doubts and rows, with right hashes. */
import fc from 'fast-check';
import { reasonCodes } from '../src/catalogue.js';
import type { PageFacts, PageRow } from '../src/facts.js';
import type { SearchEvent } from '../src/fold.js';
import { OWN_WRITES, sourcesOf } from '../src/own-writes.js';
import type { DriftProof, Register, SourceRule } from '../src/register.js';
import { aGeneration, anAmbiguousRow, aRegister, aRow, aSource, aTarget, type AttemptPlan, type SourcePlan } from './builders.js';

export interface Generated {
  readonly register: Register;
  readonly events: readonly SearchEvent[];
}

export const anyCode = fc.oneof(
  fc.constantFrom<string>(...reasonCodes),
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'END-SIGNALLED', 'end-signalled '),
);

const rowArbitrary: fc.Arbitrary<PageRow> = fc.oneof(
  fc.constant(aRow()),
  fc.constant(aRow({ recordId: 'rec-2', status: null })),
  fc.constant(aRow({ recordId: 'rec-3', status: 'void' })),
  fc.constant(aRow({ recordId: 'rec-4', status: 'merged', followedTo: 'rec-3' })),
  fc.constant(aRow({ recordId: 'rec-5', status: 'merged', followedTo: 'rec-5' })),
  fc.constant(anAmbiguousRow({ recordId: 'rec-6' })),
  fc.constant(aRow({ recordId: 'rec-7', results: { reference: 'differ' } })),
);

/** Mostly clean, so that scoped-no-match is reached often enough to be tested against. */
const mostly = <T>(usual: T, rest: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rest });

const pageArbitrary: fc.Arbitrary<Partial<PageFacts>> = fc.record({
  rows: mostly<readonly PageRow[]>([], fc.array(rowArbitrary, { maxLength: 2 })),
  doubts: mostly<readonly string[]>([], fc.array(anyCode, { maxLength: 1 })),
  records: fc.constantFrom(0, 10),
});

const attemptArbitrary: fc.Arbitrary<AttemptPlan> = fc.record({
  pages: fc.array(pageArbitrary, { minLength: 0, maxLength: 3 }),
  ends: mostly(true, fc.constant(false)),
});

const planArbitrary = (source: string): fc.Arbitrary<SourcePlan> =>
  fc
    .record({
      attempts: fc.array(attemptArbitrary, { minLength: 1, maxLength: 2 }),
      stopReason: mostly<string>('end-signalled', anyCode),
      doubts: mostly<readonly string[]>([], fc.array(anyCode, { maxLength: 1 })),
    })
    .map(({ attempts, ...ended }) => ({ source, attempts, ended }));

const sourceArbitrary = (name: string): fc.Arbitrary<SourceRule> =>
  fc
    .record({
      role: mostly<SourceRule['role']>('deciding', fc.constant('candidates')),
      drift: mostly<DriftProof>('keyset', fc.constantFrom('single-response', 'none', 'second-pass', 'documented')),
    })
    .map((over) => aSource({ name, ...over }));

const registerArbitrary: fc.Arbitrary<Register> = fc
  .record({ first: sourceArbitrary('crm'), second: sourceArbitrary('archive'), both: fc.boolean(), target: fc.boolean() })
  .map(({ first, second, both, target }) => aRegister({ sources: both ? [first, second] : [first], target: target ? aTarget : null }));

const onePage = (plan: SourcePlan): SourcePlan => ({
  ...plan,
  attempts: plan.attempts.map((attempt) => ({ ...attempt, pages: attempt.pages.slice(0, 1) })),
});

export const generatedArbitrary: fc.Arbitrary<Generated> = registerArbitrary.chain((register) =>
  fc.tuple(...sourcesOf(register).map(({ name }) => planArbitrary(name))).map((plans) => ({
    register,
    events: aGeneration(
      register,
      plans.map((plan) => (plan.source === OWN_WRITES ? onePage(plan) : plan)),
    ),
  })),
);
