import type { HashedRegister } from '@lacuna/connectors';
import { afterNoon, aRegister, aSourceRule } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import type { KeptCheck } from './control-store.js';
import { controlResults, lacksChecks } from './controls-of-search.js';

const control = (recordId: string) => ({ source: 'ledger', recordId, identifiers: { reference: recordId } });
const register = aRegister({
  sources: [aSourceRule({ name: 'ledger' })],
  controls: { ageMaxMs: 60_000, records: [control('c1'), control('c2')] },
}) as HashedRegister;
const found = (recordId: string, afterMs = 0): KeptCheck => ({
  source: 'ledger',
  recordId,
  result: 'found',
  checkedAt: afterNoon(afterMs),
});
const nowMs = Date.parse(afterNoon(60_000));

describe('the controls of a search', () => {
  it('are the kept results of what the register declares, and of nothing else; fails when an older declaration still counts', () => {
    expect(controlResults(register, [found('c2'), found('removed'), found('c1')])).toHaveLength(2);
    expect(controlResults(register, [found('c2')])).toEqual([{ source: 'ledger', result: 'found', checkedAt: afterNoon(0) }]);
  });

  it('are waited for while one was never checked or not lately, and no longer', () => {
    expect(lacksChecks(register, [], nowMs)).toBe(true);
    expect(lacksChecks(register, [found('c1')], nowMs)).toBe(true);
    expect(lacksChecks(register, [found('c1'), found('c2', -1)], nowMs)).toBe(true);
    expect(lacksChecks(register, [found('c1'), found('c2')], nowMs)).toBe(false);
  });
});
