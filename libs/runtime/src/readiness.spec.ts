import { describe, expect, it } from 'vitest';
import { Readiness } from './readiness.js';

describe('readiness', () => {
  it('is told once per change, and before the service was ready without a warning; fails when each probe logs an error', async () => {
    const told: string[] = [];
    const logger = {
      info: (_fields: object, line: string) => void told.push(`info ${line}`),
      warn: (_fields: object, line: string) => void told.push(`warn ${line}`),
    };
    let isAway = true;
    const check = async () => {
      if (isAway) throw new Error('away');
    };
    const readiness = new Readiness([{ name: 'consumer', check }], logger as never);
    const probe = async (away: boolean) => {
      isAway = away;
      return (await readiness.problems()).length;
    };
    for (const away of [true, true, false, false, true, true, false]) expect(await probe(away)).toBe(away ? 1 : 0);
    expect(told).toEqual(['info not ready: consumer', 'info ready', 'warn not ready: consumer', 'info ready']);
  });
});
