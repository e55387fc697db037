/** Reads all sources of one generation along the move, own-writes last, and says per source which attempt counts. */
import type { DocumentSource, RegisterDocument, SourceReader } from '@lacuna/connectors';
import type { EndedSource, SearchStarted } from '@lacuna/events';
import { type Register, sourcesOf, waitMs } from '@lacuna/evidence';
import { readSource, type ReadSourceInput, type SourceReading } from './read-source.js';

export type SearchInput = Omit<ReadSourceInput, 'register' | 'source' | 'newReader'> & {
  /** As published, with its hash. */
  readonly register: Register & RegisterDocument;
  readonly newReader: (source: DocumentSource, started: SearchStarted) => SourceReader;
};

/**
 * One entry per source, in reading order. When a record matches in a deciding or candidates source, later sources are not asked: the
 * verdict cannot change any more (V3), and the receipt says that they were not read.
 */
export async function searchGeneration(input: SearchInput): Promise<EndedSource[]> {
  const ended: EndedSource[] = [];
  let previousEndedAtMs: number | null = null;
  let matched = false;
  for (const source of sourcesOf(input.register) as readonly DocumentSource[]) {
    if (matched) {
      ended.push(unread(source.name, 'match-found'));
      continue;
    }
    await waitForBoundary(input, source, previousEndedAtMs);
    const reading: SourceReading = input.signal.aborted
      ? { ended: unread(source.name, 'budget-time'), matched: false }
      : await readSource({ ...input, source, newReader: () => input.newReader(source, input.started) });
    ended.push(reading.ended);
    matched = reading.matched && input.started.kind === 'exists';
    if (source.role === 'deciding' && reading.ended.endedAt !== null) previousEndedAtMs = Date.parse(reading.ended.endedAt);
  }
  return ended;
}

/** Reads later rather than holds: waits until the source's boundary will reach what the question and the moves need. */
async function waitForBoundary(input: SearchInput, source: DocumentSource, previousEndedAtMs: number | null): Promise<void> {
  if (source.role !== 'deciding') return;
  const delayMs = waitMs({
    source,
    register: input.register,
    needsAsOfMs: Date.parse(input.started.needsAsOf),
    previousEndedAtMs,
    nowMs: input.clock.now().getTime(),
  });
  if (delayMs === null || delayMs === 0) return;
  await input.sleep(delayMs, input.signal);
}

/** What is written of a source that was not asked. */
export function unread(source: string, stopReason: string): EndedSource {
  return { source, attemptId: null, pages: 0, lastHash: null, stopReason, doubts: [], startedAt: null, endedAt: null, attempts: 0 };
}
