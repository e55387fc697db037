import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateForm, isZone, mayBeDate } from './date.js';

const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu', 'Europe/Berlin'] as const;

describe('dates', () => {
  it.each([
    ['UTC', '2026-01-31', '2026-01-31'],
    ['Asia/Tokyo', '2026-01-31', '2026-01-31'],
    ['Asia/Tokyo', '2026-01-31T23:30', '2026-01-31'],
    ['Asia/Tokyo', '2026-01-31T23:30:00Z', '2026-02-01'],
    ['Asia/Tokyo', '2026-01-31t23:30:00.123456z', '2026-02-01'],
    ['Asia/Tokyo', '2026-01-31T23:30:00+09:00', '2026-01-31'],
    ['America/New_York', '2026-03-08 03:30:00 -0400', '2026-03-08'],
    ['America/New_York', '2026-02-01T04:59:59Z', '2026-01-31'],
    ['Pacific/Apia', '2011-12-30T11:00:00Z', '2011-12-31'],
    ['UTC', '2026-01-31T01:00:00\u221202', '2026-01-31'],
    ['UTC', ' ２０２６-01-31 ', '2026-01-31'],
    ['UTC', '2024-02-29', '2024-02-29'],
    ['UTC', '1583-01-01', '1583-01-01'],
    ['UTC', '9999-12-31', '9999-12-31'],
  ])('in %s, %j is %s', (zone, value, form) => expect(dateForm(zone, value)).toBe(form));

  // Each fails if a guess is made: the day that it gives may be another one than the record's.
  it.each([
    ['day or month first', '01/02/2026'],
    ['a two-digit year', '26-01-31'],
    ['digits alone, which are a date, a serial or a second', '20260131'],
    ['a month’s name', '31 Jan 2026'],
    ['a week', '2026-W05-6'],
    ['no such day', '2023-02-29'],
    ['no such hour', '2026-01-31T24:00:00'],
    ['no such offset', '2026-01-31T12:00:00+24:00'],
    ['a day before the calendar of today', '1582-10-10'],
    ['the last moment before it is read', '1582-12-31T23:59:59Z'],
    ['no date, in some systems', '0001-01-01'],
    ['no date, in others', '0000-00-00'],
    ['the end of time, which is in the year 10000 elsewhere', '9999-12-31T23:59:59Z'],
    ['nothing', ''],
  ])('%s is not read', (_why, value) => expect(dateForm('UTC', value)).toBeNull());

  it('are not read where they would fall before the first year in the zone', () => {
    expect(dateForm('America/New_York', '1583-01-01T00:00:00Z')).toBeNull();
    expect(dateForm('Asia/Tokyo', '1583-01-01T00:00:00Z')).toBe('1583-01-01');
  });

  it('need a zone that is known', () => {
    expect([isZone('Asia/Tokyo'), isZone('Mars/Olympus')]).toEqual([true, false]);
    expect(dateForm('Mars/Olympus', '2026-01-31')).toBeNull();
  });

  // Fails if an offset is taken with the wrong sign, or the calendar of the core differs from the runtime's.
  it('of a moment are the runtime’s, with any offset, and are read again as themselves', () => {
    const moment = fc.date({ min: new Date('1583-01-02T00:00:00.000Z'), max: new Date('9998-12-30T00:00:00.000Z'), noInvalidDate: true });
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(moment, offset, fc.constantFrom(...ZONES), (date, minutes, zone) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, '0'));
        const form = dateForm(zone, `${local}${minutes < 0 ? '-' : '+'}${hour}:${minute}`);
        expect(form).toBe(new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(date));
        expect(dateForm(zone, form ?? '')).toBe(form);
      }),
      { numRuns: 500 },
    );
  });
});

describe('text that is no date', () => {
  it.each(['31.01.2026', '31/1/26', 'Jan 31, 2026', '20260131', '46053', '令和8年1月31日', '2026-01-32', '2025-02-30'])(
    'may be 2026-01-31: %j',
    (found) => expect(mayBeDate('2026-01-31', found)).toBe(true),
  );

  // Fails if a table in which "no date" is written as a date holds every question.
  it.each(['unknown', '0000-00-00', '0001-01-01T00:00:00', '9999-12-31T23:59:59Z'])('is in no reading 2026-01-31: %j', (found) =>
    expect(mayBeDate('2026-01-31', found)).toBe(false),
  );
});
