import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, parseInstant } from './instant.js';

describe('instants', () => {
  it('agree with Date for every moment from year 1 to 9999', () => {
    const moment = fc.date({ min: new Date('0001-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime());
        expect(formatInstant(date.getTime())).toBe(date.toISOString());
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['2024-02-29T00:00:00.000Z', '2000-02-29T23:59:59.999Z', '1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z'])(
    'reads %s as Date does',
    (text) => {
      expect(parseInstant(text)).toBe(Date.parse(text));
    },
  );

  it('may leave out the milliseconds', () => expect(parseInstant('2026-01-31T12:00:00Z')).toBe(Date.parse('2026-01-31T12:00:00Z')));

  it.each([
    '2023-02-29T00:00:00.000Z',
    '1900-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:00:00+01:00',
    '2026-01-31',
    'now',
    '',
  ])('takes %j for no moment: a guess would move a boundary', (text) => expect(parseInstant(text)).toBeNull());

  it('takes null and undefined for no moment', () => expect([parseInstant(null), parseInstant(undefined)]).toEqual([null, null]));
});
