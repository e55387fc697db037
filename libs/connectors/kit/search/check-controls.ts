/**
 * Looks for each control of a register by the path that a question takes, and for one that is not found, directly by its id. Missed by the
 * search and there all the same: `missed`. Gone in both, no longer what it was known as, or not to be asked for by its id: `stale`.
 */
import { compareRow, controlsOf, outcomeOf, type AskedIdentifier, type Budget, type ControlRecord } from '@lacuna/evidence';
import type { DocumentSource } from '../register/register-document.js';
import type { SourceReader } from '../source-reader.js';
import { guardedReader } from './guarded-reader.js';
import type { HashedRegister } from './hashed-register.js';
import { readSource, type ReadSourceInput } from './read-source.js';

export type ControlsInput = Pick<ReadSourceInput, 'clock' | 'sleep' | 'random' | 'signal' | 'told'> & {
  readonly register: HashedRegister;
  /** One reader for one attempt, that asks for these identifiers. */
  readonly newReader: (source: DocumentSource, identifiers: readonly AskedIdentifier[]) => SourceReader;
  /** Default: the register's budget. */
  readonly budget?: Budget;
};

export interface ControlCheck {
  readonly source: string;
  readonly recordId: string;
  /** `unknown`: the source could not be read to its end. An older result stands until it is too old. */
  readonly result: 'found' | 'missed' | 'stale' | 'unknown';
  readonly checkedAt: string;
}

/** In the order of the register's sources, one after the other: a check is no reason to press a source. */
export const checkControls = async (input: ControlsInput): Promise<readonly ControlCheck[]> => {
  const checks: ControlCheck[] = [];
  for (const source of input.register.sources) {
    for (const control of controlsOf(input.register, source.name)) {
      // As old as its beginning: what went missing meanwhile may not have been seen.
      const checkedAt = input.clock.now().toISOString();
      const result = await resultOf(input, source, control);
      checks.push({ source: source.name, recordId: control.recordId, result, checkedAt });
    }
  }
  return checks;
};

const resultOf = async (input: ControlsInput, source: DocumentSource, control: ControlRecord): Promise<ControlCheck['result']> => {
  const identifiers = Object.entries(control.identifiers).map(([name, value]): AskedIdentifier => ({
    name,
    value,
    provenance: 'system',
    lookup: null,
  }));
  const searched = await searchFor(input, source, control, identifiers);
  return searched === 'not-found' ? await directly(input, source, control, identifiers) : searched;
};

/** A record in whatever status shows that the search finds. */
const searchFor = async (
  input: ControlsInput,
  source: DocumentSource,
  control: ControlRecord,
  identifiers: readonly AskedIdentifier[],
): Promise<'found' | 'not-found' | 'unknown'> => {
  const { register, newReader, budget = register.budget } = input;
  const found = new AbortController();
  const { ended } = await readSource({
    ...input,
    register,
    source,
    signal: AbortSignal.any([input.signal, found.signal]),
    started: {
      questionId: 'control',
      generation: 1,
      registerHash: register.hash,
      kind: 'enumerate',
      identifiers,
      needsAsOf: input.clock.now().toISOString(),
      budget,
      sources: [source.name],
      exclusions: [],
      knownGaps: [],
      controls: [],
      attestations: [],
    },
    attemptId: (name, count) => `${name}.control.${count}`,
    newReader: () => newReader(source, identifiers),
    recordPage: async ({ rows, idsDigest }) => {
      const isIt = rows.some((row) => row.recordId === control.recordId && outcomeOf(row.results, register.identifiers) === 'match');
      if (isIt) found.abort();
      return idsDigest;
    },
  });
  if (found.signal.aborted) return 'found';
  return ended.stopReason === 'end-signalled' ? 'not-found' : 'unknown';
};

const directly = async (
  input: ControlsInput,
  source: DocumentSource,
  { recordId }: ControlRecord,
  identifiers: readonly AskedIdentifier[],
): Promise<'missed' | 'stale'> => {
  const reader = guardedReader(
    () => input.newReader(source, identifiers),
    (error) => input.told(error, source.name),
  );
  try {
    const opened = await reader.open(input.signal);
    const read = opened.type === 'failure' ? opened : await reader.readById?.(recordId, input.signal);
    // Also where it cannot be read: the search did not find it, whatever is true of the record.
    if (read?.type !== 'record' || read.row.recordId !== recordId) return 'stale';
    const { outcome } = compareRow(input.register.identifiers, identifiers, read.row, source.optionalFields);
    return outcome === 'match' ? 'missed' : 'stale';
  } finally {
    await reader.close();
  }
};
