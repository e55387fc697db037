/**
 * A source's reader behind a guard: what it throws becomes a reason, and one that ignores its signal is left. A fault in one reader costs one
 * source its support for a no-match; it never ends the search, and never the process.
 */
import type { ReadFailure, SourceReader } from '../source-reader.js';

/** A reader that heeds its signal answers within it, and says better what happened. */
const GRACE_MS = 2_000;

export type Told = (error: unknown, doing: 'open' | 'read' | 'close') => void;

/** `newReader` is called at `open`: what it throws is caught too. */
export function guardedReader(newReader: () => SourceReader, told: Told, graceMs = GRACE_MS): SourceReader {
  let reader: SourceReader | null = null;
  const guarded = async <T>(doing: 'open' | 'read', signal: AbortSignal, work: (reader: SourceReader) => Promise<T>) => {
    try {
      reader ??= newReader();
      return await untilLeft(work(reader), signal, graceMs);
    } catch (error) {
      told(error, doing);
      return failure('source-unavailable', 'the reader of this source failed');
    }
  };
  return {
    open: (signal) => guarded('open', signal, (inner) => inner.open(signal)),
    read: (request) => guarded('read', request.signal, (inner) => inner.read(request)),
    readById: (recordId, signal) =>
      guarded(
        'read',
        signal,
        async (inner) => (await inner.readById?.(recordId, signal)) ?? failure('source-unavailable', 'no read by id'),
      ),
    close: async () => {
      const closing = (async () => reader?.close())().catch((error: unknown) => told(error, 'close'));
      await untilLeft(closing, AbortSignal.abort(), graceMs);
    },
  };
}

/** The answer; or, when the signal has been given and the grace time is over, that time is up. */
function untilLeft<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T | ReadFailure> {
  return new Promise((resolve, reject) => {
    let grace: NodeJS.Timeout | undefined;
    const leave = () => {
      grace = setTimeout(() => resolve(failure('budget-time', 'the reader did not stop when its time was up')), graceMs);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    void work.then(resolve, reject).finally(() => {
      clearTimeout(grace);
      signal.removeEventListener('abort', leave);
    });
  });
}

const failure = (reason: 'source-unavailable' | 'budget-time', detail: string): ReadFailure => ({
  type: 'failure',
  reason,
  status: null,
  retryAfterMs: null,
  detail,
});
