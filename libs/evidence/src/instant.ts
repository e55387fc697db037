/** Moments as text and as milliseconds, without a clock: the core may not touch `Date`. Proleptic Gregorian, UTC only. */

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?Z$/;
const DAY_MS = 86_400_000;
const DAYS_PER_ERA = 146_097;
const DAYS_TO_1970 = 719_468;

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysIn = (year: number, month: number): number => (month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);

/** Days since 1970-01-01. Years begin in March, so that the leap day is the last of its year. */
const daysFromCivil = (year: number, month: number, day: number): number => {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_1970;
};

const civilFromDays = (days: number): readonly [number, number, number] => {
  const shifted = days + DAYS_TO_1970;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1];
};

export type InstantParts = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number, ms: number];

/** Milliseconds since 1970 of a moment in UTC; null when there is no such day or time. */
export const epochMsOf = ([year, month, day, hour, minute, second, ms]: InstantParts): number | null => {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59) return null;
  return daysFromCivil(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
};

/** Milliseconds since 1970, or null for anything but a real moment such as 2026-01-31T12:00:00.000Z (milliseconds may be left out). */
export const parseInstant = (text: string | null | undefined): number | null => {
  const parts = typeof text === 'string' ? PATTERN.exec(text) : null;
  if (!parts) return null;
  return epochMsOf(parts.slice(1).map((part) => Number(part ?? 0)) as unknown as InstantParts);
};

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

export const formatInstant = (epochMs: number): string => {
  const days = Math.floor(epochMs / DAY_MS);
  const inDay = epochMs - days * DAY_MS;
  const [year, month, day] = civilFromDays(days);
  const time = [Math.floor(inDay / 3_600_000), Math.floor(inDay / 60_000) % 60, Math.floor(inDay / 1000) % 60].map((part) => pad(part, 2));
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${time.join(':')}.${pad(inDay % 1000, 3)}Z`;
};
