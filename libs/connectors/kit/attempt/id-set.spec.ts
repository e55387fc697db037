import { describe, expect, it } from 'vitest';
import { IdSet } from './id-set.js';

describe('the ids of a pass', () => {
  // Fails if growing the table loses an id: repeated records would count as new ones.
  it('are each new once, over many growths', () => {
    const ids = new IdSet();
    for (let number = 0; number < 20_000; number += 1) expect(ids.add(`SR-${number}`)).toBe(true);
    for (let number = 0; number < 20_000; number += 7) expect(ids.add(`SR-${number}`)).toBe(false);
    expect(ids.add('SR-20000')).toBe(true);
  });
});
