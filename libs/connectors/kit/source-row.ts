import type { SourceRow } from '@lacuna/evidence';

/** What a `page.read` can carry: UTF-16 units. */
const ID_UNITS_MAX = 512;
const STATUS_UNITS_MAX = 200;
const NOT_TEXT = /[\0\p{Surrogate}]/u;

const fits = (value: string | null, unitsMax: number): boolean => value === null || (value.length <= unitsMax && !NOT_TEXT.test(value));

/** Why a mapped row cannot be recorded, null when it can: an id that is empty, and text that is too long or is none. */
export const rowProblem = (row: SourceRow): string | null => {
  if (row.recordId === '' || !fits(row.recordId, ID_UNITS_MAX)) return 'an id is empty, too long or no text';
  if (!fits(row.version, ID_UNITS_MAX)) return 'a version is too long or no text';
  if (!fits(row.status, STATUS_UNITS_MAX)) return 'a status is too long or no text';
  return fits(row.followedTo, ID_UNITS_MAX) ? null : 'the id of a merged record is too long or no text';
};
