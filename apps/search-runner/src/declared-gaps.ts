/** What a new version of a register says of gaps that the one before it did not, told for whoever reads the log. Pure. */
import { type EncodedEvent, encodeEvent, events, type RegisterPublished } from '@lacuna/events';
import type { KnownGap } from '@lacuna/evidence';

type Published = Pick<RegisterPublished, 'tenantId' | 'registerName' | 'register' | 'at'>;

/** `before`: the gaps of the version that was the newest until then. */
export function gapEvents({ tenantId, registerName, register, at }: Published, before: readonly KnownGap[]): EncodedEvent[] {
  const now = gapsOf(register);
  const isIn = (gaps: readonly KnownGap[], gap: KnownGap) => gaps.some((other) => sameGap(other, gap));
  const found = now.filter((gap) => !before.some((other) => sameGap(other, gap) && other.to === gap.to));
  const closed = before.filter((gap) => !isIn(now, gap));
  const of = ({ source, from }: KnownGap) => ({ tenantId, registerName, source, from, at });
  return [
    ...found.map((gap) => encodeEvent(events.ingestionGapFound, { ...of(gap), to: gap.to, origin: 'declared' as const }, 'search-runner')),
    // Whoever takes a gap out of a register says that what was missing is there.
    ...closed.map((gap) => encodeEvent(events.ingestionGapClosed, { ...of(gap), backfilled: true }, 'search-runner')),
  ];
}

export const gapsOf = (register: Record<string, unknown>): readonly KnownGap[] => (register['knownGaps'] as KnownGap[] | undefined) ?? [];

const sameGap = (one: KnownGap, other: KnownGap): boolean => one.source === other.source && one.from === other.from;
