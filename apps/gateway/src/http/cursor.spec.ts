import { HttpException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.js';

const members = { closed: 'boolean', at: 'time', id: 'string' } as const;

describe('a cursor', () => {
  it('comes back as it was given out', () => {
    const position = { closed: true, at: '2026-01-31T12:00:00.000Z', id: 'c1' };
    expect(decodeCursor(encodeCursor(position), members)).toEqual(position);
  });

  it.each([
    'x',
    '',
    'bnVsbA',
    'W10',
    encodeCursor({ closed: 'yes', at: '2026-01-31T12:00:00.000Z', id: 'c1' }),
    encodeCursor({ closed: true, at: 'now', id: 'c1' }),
  ])('that was not given out is refused as a bad parameter and never reaches SQL: %s', (cursor) => {
    expect(() => decodeCursor(cursor, members)).toThrowError(HttpException);
  });
});
