/**
 * Records that move between sources while these are read. One way, each source is read so late that it shows what the one before it no longer
 * did. Both ways, all sources but the last are read once more: a record that moves at most once during all of that is seen where it was or where
 * it went.
 */
import { behindMsMax } from './boundary.js';
import { OWN_WRITES } from './own-writes.js';
import type { Register, SourceRule } from './register.js';

export interface Reading {
  readonly source: string;
  readonly boundaryMs: number | null;
  readonly endedAtMs: number | null;
}

type Moving = Pick<Register, 'moves' | 'sources'>;

/** Sources between which records move, in reading order. Slots do not move. */
const movingSources = ({ sources }: Moving): readonly SourceRule[] =>
  sources.filter(({ role, name }) => role === 'deciding' && name !== OWN_WRITES);

/** Names of the sources that are read once more after the last of them, in reading order. */
export const readAgain = (register: Moving): readonly string[] =>
  register.moves.kind === 'both-ways'
    ? movingSources(register)
        .slice(0, -1)
        .map(({ name }) => name)
    : [];

/** Sources into which a record may have moved unseen, by their readings in the order in which they were made. */
export const movedBetween = (register: Moving, readings: readonly Reading[]): readonly string[] => {
  const { kind } = register.moves;
  if (kind === 'none') return [];
  if (kind === 'one-way') return lateReadings(readings);
  return bothWaysProven(register, readings) ? [] : [...new Set(readings.map(({ source }) => source))];
};

/** Those whose boundary lies before the end of the reading before them. */
const lateReadings = (readings: readonly Reading[]): readonly string[] =>
  readings.flatMap((reading, at) => {
    const before = readings[at - 1];
    if (!before) return [];
    const holds = before.endedAtMs !== null && reading.boundaryMs !== null && reading.boundaryMs >= before.endedAtMs;
    return holds ? [] : [reading.source];
  });

const bothWaysProven = (register: Moving, readings: readonly Reading[]): boolean => {
  const wanted = [...movingSources(register).map(({ name }) => name), ...readAgain(register)];
  if (wanted.length <= 1) return true;
  if (JSON.stringify(readings.map(({ source }) => source)) !== JSON.stringify(wanted) || lateReadings(readings).length > 0) return false;
  const { leastBetweenMovesMs } = register.moves;
  const began = readings[0]?.boundaryMs ?? null;
  const ended = readings.at(-1)?.endedAtMs ?? null;
  return leastBetweenMovesMs !== undefined && began !== null && ended !== null && ended - began < leastBetweenMovesMs;
};

/** The waits for lag and skew alone take that long, from the first boundary to the last reading; null where a lag has no bound. */
export const bothWaysMsMin = (register: Moving & Pick<Register, 'clockSkewMaxMs'>): number | null => {
  const again = readAgain(register);
  const behind = [...movingSources(register), ...movingSources(register).filter(({ name }) => again.includes(name))].map(behindMsMax);
  return behind.reduce<number | null>((sum, each) => (sum === null || each === null ? null : sum + each + register.clockSkewMaxMs), 0);
};
