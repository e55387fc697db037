/**
 * One generation's events, in log order, as the input of `decide`.
 * 1. Everything up to the first `search.ended` counts; what comes later is ignored.
 * 2. A repetition by natural key is dropped; one that says something else breaks the chain.
 * 3. A broken chain is `evidence-incomplete`: it can hold, and never support a no-match.
 */
import type { Evidence } from './decision.js';
import type { EndedFacts, PageFacts, StartedFacts } from './facts.js';

export const GENESIS_HASH = '0'.repeat(64);

export type SearchEvent<P extends PageFacts = PageFacts> =
  | { readonly type: 'search.started'; readonly data: StartedFacts }
  | { readonly type: 'page.read'; readonly data: P }
  | { readonly type: 'search.ended'; readonly data: EndedFacts };

/** JSON with sorted keys: two events of one meaning have one text. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

interface Folding<P> {
  readonly started: StartedFacts | null;
  /** By attempt, then sequence, in the order of the log. */
  readonly pages: Map<string, P>;
  readonly last: Map<string, P>;
  readonly intact: boolean;
}

const foldStarted = <P extends PageFacts>(folding: Folding<P>, data: StartedFacts): Folding<P> => {
  if (folding.started !== null) return { ...folding, intact: folding.intact && textOf(folding.started) === textOf(data) };
  return { ...folding, started: data };
};

const foldPage = <P extends PageFacts>(folding: Folding<P>, page: P, hashOf: (page: P) => string): Folding<P> => {
  const key = JSON.stringify([page.attemptId, page.sequence]);
  const seen = folding.pages.get(key);
  const trueHash = hashOf(page) === page.hash;
  if (seen) return { ...folding, intact: folding.intact && trueHash && seen.hash === page.hash };
  const before = folding.last.get(page.attemptId);
  const follows = page.sequence === (before ? before.sequence + 1 : 0) && page.previousHash === (before?.hash ?? GENESIS_HASH);
  const sameSource = before === undefined || before.source === page.source;
  folding.pages.set(key, page);
  folding.last.set(page.attemptId, page);
  return { ...folding, intact: folding.intact && folding.started !== null && trueHash && follows && sameSource };
};

export const foldGeneration = <P extends PageFacts>(events: readonly SearchEvent<P>[], hashOf: (page: P) => string): Evidence => {
  let folding: Folding<P> = { started: null, pages: new Map(), last: new Map(), intact: true };
  let ended: EndedFacts | null = null;
  for (const event of events) {
    if (event.type === 'search.started') folding = foldStarted(folding, event.data);
    else if (event.type === 'page.read') folding = foldPage(folding, event.data, hashOf);
    else if (event.type === 'search.ended') ended = event.data;
    else folding = { ...folding, intact: false };
    if (ended !== null) break;
  }
  return { started: folding.started, pages: [...folding.pages.values()], ended, chainIntact: folding.intact };
};
