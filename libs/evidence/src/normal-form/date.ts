/**
 * Dates in a zone. Read: an ISO date, and an ISO moment with or without offset; one without offset is in the zone already. The zone's rules
 * are those of the runtime (IANA).
 */
import { epochMsOf } from '../instant.js';
import { READ_UNITS_MAX, readingText } from './digits.js';

const OFFSET = String.raw`(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)`;
/** Year, month, day, hour, minute, second, offset. */
const DATE = new RegExp(String.raw`^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)? ?${OFFSET}?)?$`, 'i');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** One formatter for each zone, as making one takes long; null: no such zone. */
const formatters = new Map<string, Intl.DateTimeFormat | null>();
const ZONES_MAX = 1_000;

const formatterOf = (zone: string): Intl.DateTimeFormat | null => {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  if (formatters.size >= ZONES_MAX) formatters.clear();
  const made = newFormatter(zone);
  formatters.set(zone, made);
  return made;
};

const newFormatter = (zone: string): Intl.DateTimeFormat | null => {
  try {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    return new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', { timeZone: zone, ...parts });
  } catch {
    return null;
  }
};

export const isZone = (zone: string): boolean => formatterOf(zone) !== null;

const offsetMs = (offset: string): number | null => {
  if (offset.toUpperCase() === 'Z') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = (offset.match(/\d\d/g) ?? []).map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000);
};

const dateIn = (epochMs: number, zone: string): string | null => {
  const parts = formatterOf(zone)?.formatToParts(epochMs);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts?.find((each) => each.type === type)?.value ?? '';
  return parts ? `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}` : null;
};

/** Before it, a date is one day in the calendar of its time and another in the one of today, and the runtime changes between them. */
const FIRST_YEAR = 1583;
/** It may end in another year elsewhere, which four digits cannot say. */
const LAST_YEAR = 9999;

/** The date as `yyyy-mm-dd` in the zone; null when it is not read as one. */
export const dateForm = (zone: string, value: string): string | null => {
  const text = readingText(value).replace(/\u2212(?=[\d:]+$)/, '-');
  const parts = text.length > READ_UNITS_MAX ? null : DATE.exec(text);
  if (!parts || formatterOf(zone) === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const epochMs = epochMsOf([year, month, day, hour, minute, second, 0]);
  const offset = parts[7];
  if (epochMs === null || year < FIRST_YEAR) return null;
  if (offset === undefined) return text.slice(0, 10);
  const behindMs = offsetMs(offset);
  const date = behindMs === null || year === LAST_YEAR ? null : dateIn(epochMs - behindMs, zone);
  return date === null || date < String(FIRST_YEAR) ? null : date;
};

/** Text that is read as no date may be any in another writing; written as here, only one of about the same year. */
export const mayBeDate = (wanted: string, found: string): boolean => {
  const year = DATE.exec(readingText(found))?.[1];
  return year === undefined ? /\p{N}/u.test(found) : Math.abs(Number(year) - Number(wanted.slice(0, 4))) <= 1;
};
