/** Reads all sources of one generation along the move, own-writes last, and says per source which attempt counts. */
import { lookupRules, OWN_WRITES, readAgain, sourcesOf, waitMs, type Register, type SourceRule } from '@lacuna/evidence';
import type { DocumentSource, RegisterDocument } from '../register/register-document.js';
import type { SourceReader } from '../source-reader.js';
import { readSource, type ReadSourceInput, type SearchedSource, type SourceReading } from './read-source.js';

/** Looks at the clock after a wait: a timer may be early. */
const WAITS_MAX = 10;

export type ReadSourcesInput = Omit<ReadSourceInput, 'register' | 'source' | 'newReader'> & {
  /** As published, with its hash. */
  readonly register: Register & RegisterDocument;
  /** Also of `own-writes`, where the register has a target. */
  readonly newReader: (source: DocumentSource) => SourceReader;
  /** Time left to the question's deadline, by the clock. */
  readonly leftMs: () => number;
};

/**
 * One entry per reading: lookups, then the others in reading order, where records move both ways all but the last once more, own-writes last.
 * When a record matches in a deciding or candidates source, later sources are not asked: the verdict cannot change any more (V3), and the
 * receipt says that they were not read.
 */
export const readSources = async (input: ReadSourcesInput): Promise<SearchedSource[]> => {
  const sources = sourcesOf(input.register) as readonly DocumentSource[];
  const ended: SearchedSource[] = [];
  for (const source of sources.filter(({ role }) => role === 'lookup')) ended.push(await lookUp(input, source));
  const sequence: Sequence = { ended, previousEndedAtMs: null, matched: false };
  const read = sources.filter(({ role }) => role !== 'lookup');
  for (const source of read.filter(({ name }) => name !== OWN_WRITES)) await readNext(input, source, sequence);
  for (const source of again(input.register, sequence)) await readNext(input, source, sequence);
  for (const source of read.filter(({ name }) => name === OWN_WRITES)) await readNext(input, source, sequence);
  return ended;
};

/** What the readings made so far leave to the next one. */
interface Sequence {
  readonly ended: SearchedSource[];
  previousEndedAtMs: number | null;
  matched: boolean;
}

const readNext = async (input: ReadSourcesInput, source: DocumentSource, sequence: Sequence): Promise<void> => {
  const { ended } = sequence;
  if (sequence.matched) {
    ended.push(unread(source.name, 'match-elsewhere'));
    return;
  }
  await waitForBoundary(input, source, sequence.previousEndedAtMs);
  const before = ended.filter((each) => each.source === source.name).reduce((sum, { attempts }) => sum + attempts, 0);
  const attemptId = (name: string, count: number): string => input.attemptId(name, count + before);
  const reading: SourceReading = input.signal.aborted
    ? { ended: unread(source.name, 'budget-time'), matched: false }
    : await readSource({ ...input, attemptId, source, newReader: () => input.newReader(source) });
  ended.push(reading.ended);
  sequence.matched = reading.matched && input.started.kind === 'exists';
  if (source.role === 'deciding' && reading.ended.endedAt !== null) sequence.previousEndedAtMs = Date.parse(reading.ended.endedAt);
};

/** None where that decides nothing any more: a record matches, or a reading did not come to its end. */
const again = (register: ReadSourcesInput['register'], { ended, matched }: Sequence): readonly DocumentSource[] => {
  const names = readAgain(register);
  const deciding = register.sources.filter(({ role }) => role === 'deciding').map(({ name }) => name);
  const isWhole = ended.every(({ source, stopReason }) => !deciding.includes(source) || stopReason === 'end-signalled');
  return matched || !isWhole ? [] : (register.sources as readonly DocumentSource[]).filter(({ name }) => names.includes(name));
};

/**
 * Reads a lookup until a row agrees in the identifiers that name it; in what status that row is does not matter, and nothing but them is sent
 * to be compared.
 */
const lookUp = async (input: ReadSourcesInput, source: DocumentSource): Promise<SearchedSource> => {
  if (input.signal.aborted) return unread(source.name, 'budget-time');
  const identifiers = lookupRules(input.register, source.name);
  const register = { ...input.register, identifiers, status: { reusable: [], follow: [] } };
  const asked = input.started.identifiers.filter(({ name }) => Object.hasOwn(identifiers, name));
  const started = { ...input.started, kind: 'exists' as const, identifiers: asked, exclusions: [] };
  const { ended } = await readSource({ ...input, register, started, source, newReader: () => input.newReader(source) });
  return ended;
};

/**
 * How long the whole search may be put off before anything is read, so that no wait for an index takes a place among the searches side by
 * side: until the first deciding source can be read, and all of them where records do not move. A register without sources delays nothing.
 */
export const startDelayMs = (register: Register, needsAsOf: string, nowMs: number): number => {
  if (!Array.isArray(register.sources)) return 0;
  const deciding = sourcesOf(register).filter((source) => source.role === 'deciding');
  const first = register.moves.kind === 'none' ? deciding : deciding.slice(0, 1);
  return Math.max(0, ...first.map((source) => delayOf(source, register, needsAsOf, nowMs, null)));
};

/**
 * Reads later rather than holds: waits until the source's boundary will reach what the question and the moves need. A wait that the deadline
 * would cut is not begun: the source is read now, since a match counts whenever it is seen.
 */
const waitForBoundary = async (input: ReadSourcesInput, source: DocumentSource, previousEndedAtMs: number | null): Promise<void> => {
  if (source.role !== 'deciding') return;
  const { register, started, clock, signal } = input;
  // Slots do not move.
  const previous = source.name === OWN_WRITES ? null : previousEndedAtMs;
  for (let waits = 0; waits < WAITS_MAX && !signal.aborted; waits++) {
    const delayMs = delayOf(source, register, started.needsAsOf, clock.now().getTime(), previous);
    if (delayMs === 0 || delayMs >= input.leftMs()) return;
    await input.sleep(delayMs, signal);
  }
};

/** 0 also where no wait helps. */
const delayOf = (source: SourceRule, register: Register, needsAsOf: string, nowMs: number, previousEndedAtMs: number | null): number =>
  waitMs({ source, register, needsAsOfMs: Date.parse(needsAsOf), previousEndedAtMs, nowMs }) ?? 0;

/** What is written of a source that was not asked. */
export const unread = (source: string, stopReason: string): SearchedSource => {
  const nothing = { attemptId: null, pages: 0, lastHash: null, startedAt: null, endedAt: null, attempts: 0, pagesOfAllAttempts: 0 };
  return { source, stopReason, doubts: [], ...nothing };
};
