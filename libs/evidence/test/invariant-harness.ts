/** V1 and V2 as properties of any decider, so that a naive one can be shown to fail the very checks that ours passes. */
import fc from 'fast-check';
import type { Evidence, Verdict } from '../src/decision.js';
import type { SearchEvent } from '../src/fold.js';
import type { Register } from '../src/register.js';
import { anyCode, generatedArbitrary } from './arbitrary-evidence.js';
import { aGeneration, aRegister, evidenceOf } from './builders.js';

export type Decider = (evidence: Evidence, register: Register) => Verdict;

const NO_MATCH: Verdict = 'scoped-no-match';

const stoppedBy = (code: string, emptyPages: number): Evidence => {
  const pages = Array.from({ length: emptyPages }, () => ({ records: 0, stop: null }));
  const attempts = [{ pages: [...pages, { records: 0, stop: code }] }];
  return evidenceOf(aGeneration(aRegister(), [{ source: 'crm', attempts, ended: { stopReason: code } }]));
};

/** V1: any code but `end-signalled`, as the stop of a read without a match. */
export const v1Fails = (decider: Decider): boolean =>
  fc.check(
    fc.property(
      anyCode,
      fc.nat({ max: 2 }),
      (code, pages) => code === 'end-signalled' || decider(stoppedBy(code, pages), aRegister()) !== NO_MATCH,
    ),
    { numRuns: 500 },
  ).failed;

type Ended = Extract<SearchEvent, { type: 'search.ended' }>['data'];
type Started = Extract<SearchEvent, { type: 'search.started' }>['data'];

const onEnded = (events: readonly SearchEvent[], change: (data: Ended) => Ended): readonly SearchEvent[] =>
  events.map((event) => (event.type === 'search.ended' ? { ...event, data: change(event.data) } : event));

const onStarted = (events: readonly SearchEvent[], change: (data: Started) => Started): readonly SearchEvent[] =>
  events.map((event) => (event.type === 'search.started' ? { ...event, data: change(event.data) } : event));

const withoutSource = (events: readonly SearchEvent[], source: string): readonly SearchEvent[] => {
  const pagesGone = events.filter((event) => event.type !== 'page.read' || event.data.source !== source);
  const endedGone = onEnded(pagesGone, (data) => ({ sources: data.sources.filter((entry) => entry.source !== source) }));
  return onStarted(endedGone, (data) => ({ ...data, sources: data.sources.filter((name) => name !== source) }));
};

const withDoubt = (evidence: Evidence, at: number, doubt: string): Evidence => ({
  ...evidence,
  pages: evidence.pages.map((page, index) => (index === at ? { ...page, doubts: [...page.doubts, doubt] } : page)),
});

/** Every single loss, and one doubt added at every place. */
export const worsened = (events: readonly SearchEvent[], doubt: string): readonly Evidence[] => {
  const whole = evidenceOf(events);
  const sources = whole.ended?.sources.map((entry) => entry.source) ?? [];
  return [
    ...events.map((_, lost) => evidenceOf(events.filter((_event, index) => index !== lost))),
    ...whole.pages.map((_, lost) => ({ ...whole, pages: whole.pages.filter((_page, index) => index !== lost) })),
    ...sources.map((source) => evidenceOf(withoutSource(events, source))),
    ...sources.map((source) =>
      evidenceOf(onEnded(events, (data) => ({ sources: data.sources.filter((entry) => entry.source !== source) }))),
    ),
    ...sources.map((source) =>
      evidenceOf(onStarted(events, (data) => ({ ...data, sources: data.sources.filter((name) => name !== source) }))),
    ),
    ...whole.pages.map((_, index) => withDoubt(whole, index, doubt)),
    ...sources.map((source) =>
      evidenceOf(
        onEnded(events, (data) => ({
          sources: data.sources.map((entry) => (entry.source === source ? { ...entry, doubts: [...entry.doubts, doubt] } : entry)),
        })),
      ),
    ),
  ];
};

/** V2: nothing that is lost or doubted turns another verdict into a no-match. */
export const v2Fails = (decider: Decider, numRuns = 300): boolean =>
  fc.check(
    fc.property(generatedArbitrary, anyCode, ({ register, events }, doubt) => {
      if (decider(evidenceOf(events), register) === NO_MATCH) return true;
      return worsened(events, doubt).every((evidence) => decider(evidence, register) !== NO_MATCH);
    }),
    { numRuns },
  ).failed;
