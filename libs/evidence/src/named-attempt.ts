/** Does the log hold what `search.ended` says of one source? What does not add up is `evidence-incomplete`. */
import type { Evidence } from './decision.js';
import { sameDigests } from './drift.js';
import type { EndedSource, PageFacts } from './facts.js';
import type { DriftProof } from './register.js';

export interface NamedAttempt {
  readonly ended: EndedSource | null;
  /** Pages of the attempt that counts, by sequence. */
  readonly pages: readonly PageFacts[];
  readonly addsUp: boolean;
}

const isContiguous = (pages: readonly PageFacts[]): boolean =>
  pages.every((page, at) => page.sequence === at && (at === 0 || page.previousHash === pages[at - 1]?.hash));

const addsUpTo = (ended: EndedSource, pages: readonly PageFacts[]): boolean =>
  pages.length === ended.pages && isContiguous(pages) && (pages.at(-1)?.hash ?? null) === (ended.lastHash ?? null);

/**
 * No page of any attempt may be lost, since it may hold the match. One attempt: all pages of the source are its own. Several: the runner
 * says how many pages they had together.
 */
const noneLost = (ended: EndedSource, named: number, all: number): boolean => {
  const known = ended.pagesOfAllAttempts ?? null;
  if (known !== null) return all >= known;
  return ended.attempts <= 1 && named === all;
};

/** Support for a no-match: every page but the last goes on (or ends the first pass), and the last stops at the signalled end. */
export const endsAtSignal = (pages: readonly PageFacts[]): boolean => {
  const last = pages.at(-1);
  if (!last || last.stop !== 'end-signalled' || last.end !== 'signalled') return false;
  return pages.slice(0, -1).every((page, at) => {
    const endsFirstPass = page.pass === 1 && pages[at + 1]?.pass === 2;
    return page.stop === null && page.end === (endsFirstPass ? 'signalled' : 'continues') && page.pass <= (pages[at + 1]?.pass ?? 0);
  });
};

const digestsOf = (pages: readonly PageFacts[], pass: 1 | 2): readonly string[] =>
  pages.filter((page) => page.pass === pass && page.records > 0).map((page) => page.idsDigest);

/** The part of the drift rule that the log alone can check, whoever claims otherwise. */
export const driftUnproven = (drift: DriftProof, pages: readonly PageFacts[]): boolean => {
  if (pages.length <= 1) return false;
  if (drift !== 'second-pass') return drift === 'none' || drift === 'upper-bound' || drift === 'single-response';
  return !pages.some((page) => page.pass === 2) || !sameDigests(digestsOf(pages, 1), digestsOf(pages, 2));
};

/** Of a source that was read twice, no page of either reading. */
const noneLostOfTwo = (entries: readonly EndedSource[], all: number): boolean => {
  const known = entries.map(({ pagesOfAllAttempts = null, attempts, pages }) => pagesOfAllAttempts ?? (attempts <= 1 ? pages : null));
  return known.every((each) => each !== null) && all >= known.reduce((sum, each) => sum + (each ?? 0), 0);
};

const NOT_NAMED: NamedAttempt = { ended: null, pages: [], addsUp: false };

/** In reading order, at most `readings` of them and always the first; more than that, or one attempt twice, is no evidence. */
export const namedAttempts = (evidence: Evidence, source: string, readings: 1 | 2): readonly [NamedAttempt, ...NamedAttempt[]] => {
  const entries = (evidence.ended?.sources ?? []).filter((entry) => entry.source === source);
  const ofSource = evidence.pages.filter((page) => page.source === source);
  const isNamed = entries.length <= readings && new Set(entries.map(({ attemptId }) => attemptId)).size === entries.length;
  const [first, second] = isNamed ? entries : [];
  if (first === undefined) return [NOT_NAMED];
  const attemptOf = (ended: EndedSource): NamedAttempt => {
    const pages = ofSource.filter((page) => page.attemptId === ended.attemptId).sort((one, other) => one.sequence - other.sequence);
    const isWhole = second === undefined ? noneLost(ended, pages.length, ofSource.length) : noneLostOfTwo(entries, ofSource.length);
    return { ended, pages, addsUp: addsUpTo(ended, pages) && isWhole };
  };
  return second === undefined ? [attemptOf(first)] : [attemptOf(first), attemptOf(second)];
};
