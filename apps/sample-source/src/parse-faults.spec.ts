import { describe, expect, it } from 'vitest';
import { parseFaults } from './parse-faults.js';

describe('faults sent as JSON', () => {
  it('are taken when every member is known and valid; fails when a switch cannot be set from outside', () => {
    const faults = [
      { kind: 'delay', delayMs: 50, match: { page: 2, account: ['ACC-1'] }, times: 3 },
      { kind: 'status', status: 429, retryAfterSeconds: 1, share: 0.2, seed: 9, sticky: true, skip: 1 },
    ];
    expect(parseFaults(JSON.stringify(faults))).toEqual(faults);
  });

  it.each([
    ['[', 'not JSON'],
    ['{}', 'not a list'],
    ['[3]', 'fault 0: not an object'],
    ['[{}]', 'kind is missing'],
    ['[{"kind":"boom"}]', 'kind is not valid'],
    ['[{"kind":"delay"}]', 'delayMs is missing'],
    ['[{"kind":"status","status":200}]', 'status is not valid'],
    ['[{"kind":"reset"},{"kind":"reset","tims":1}]', 'fault 1: tims is unknown'],
    ['[{"kind":"reset","match":{"acount":"ACC-1"}}]', 'match is not valid'],
    ['[{"kind":"reset","share":2}]', 'share is not valid'],
    ['[{"kind":"reset","__proto__":{}}]', '__proto__ is unknown'],
  ])('are refused: %s; fails when a misspelt fault hits everything or nothing', (text, reason) => {
    expect(() => parseFaults(text)).toThrow(reason);
  });
});
