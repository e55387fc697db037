import type { Completeness } from '../questions/answer.dto.js';

/** A list is complete only when nothing is behind it and the read model had seen all of the log. */
export function completenessOfList({ more, upToDate }: { more: boolean; upToDate: boolean }): Completeness {
  if (more) {
    const advice = 'More is behind nextCursor: what is not on this page may be on another. Absence must not be concluded.';
    return { partial: true, coverage: 'range_too_wide', from_clamped: false, advice };
  }
  if (!upToDate) {
    const advice = 'The newest events are not in this list yet. Absence must not be concluded; ask again shortly.';
    return { partial: true, coverage: 'recent_unavailable', from_clamped: false, advice };
  }
  return { partial: false, coverage: 'complete', from_clamped: false, advice: 'Everything up to the time of this request is listed.' };
}
