import { beforeEach, describe, expect, it } from 'vitest';
import type { Fault, FaultTarget } from './fault.js';
import { FaultSwitches } from './fault-switches.js';

const at = '2026-01-02T03:04:05.000Z';
const aTarget = (target: Partial<FaultTarget> = {}): FaultTarget => ({
  path: 'list',
  account: 'ACC-1',
  reference: null,
  page: 1,
  ...target,
});
const kindOf = ({ kind }: Fault) => kind;

describe('the fault switches', () => {
  let faults: FaultSwitches;
  beforeEach(() => {
    faults = new FaultSwitches(() => new Date(at));
  });
  const take = (target: Partial<FaultTarget> = {}) => faults.take(aTarget(target), kindOf);

  it('hit only what matches; fails when a fault of one account reaches another test', () => {
    faults.set([{ kind: 'reset', match: { account: ['ACC-1', 'ACC-2'], page: 2 } }]);
    expect([take({ page: 2 }), take(), take({ account: 'ACC-3', page: 2 }), take({ account: null, page: 2 })]).toEqual([
      'reset',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('hit the listing unless told otherwise, and the search by silence; fails when a record read is hit by chance', () => {
    faults.set([{ kind: 'silent-search' }, { kind: 'status', status: 403 }]);
    expect([take(), take({ path: 'search' }), take({ path: 'record' })]).toEqual(['status', 'silent-search', undefined]);
  });

  it('leave the first ones alone and then end; fails when a bounded fault goes on', () => {
    faults.set([{ kind: 'reset', skip: 1, times: 2 }]);
    expect([take(), take(), take(), take()]).toEqual([undefined, 'reset', 'reset', undefined]);
  });

  it('record exactly what changed an answer; fails when a hold could be blamed on a fault that did nothing', () => {
    faults.set([{ kind: 'lying-end', times: 1 }, { kind: 'total-wrong' }]);
    expect(faults.take(aTarget(), ({ kind }) => (kind === 'lying-end' ? undefined : kind))).toBe('total-wrong');
    expect(take()).toBe('lying-end');
    expect(faults.applied('ACC-1')).toEqual([
      { ...aTarget(), kind: 'total-wrong', at },
      { ...aTarget(), kind: 'lying-end', at },
    ]);
    expect(faults.applied('ACC-2')).toEqual([]);
  });

  it('are taken away one by one or all together; fails when a finished test leaves its faults behind', () => {
    faults.set([{ kind: 'reset', match: { account: 'ACC-2' } }]);
    const remove = faults.add([{ kind: 'login-page' }]);
    expect(take()).toBe('login-page');
    remove();
    expect(take()).toBeUndefined();
    expect(take({ account: 'ACC-2' })).toBe('reset');
    faults.clear();
    expect([faults.list(), faults.applied()]).toEqual([[], []]);
  });

  describe('with a share', () => {
    const accounts = Array.from({ length: 2_000 }, (_, index) => `ACC-${index}`);
    const hit = (list: readonly string[]) => list.filter((account) => take({ account }) !== undefined);

    it('hit about that part; fails when the draw is not even', () => {
      faults.set([{ kind: 'reset', share: 0.2 }]);
      expect(hit(accounts).length / accounts.length).toBeCloseTo(0.2, 1);
    });

    it('draw the same whatever else is asked and in whatever order; fails when parallel tests change one another', () => {
      faults.set([{ kind: 'reset', share: 0.2 }]);
      const forwards = hit(accounts);
      faults.set([{ kind: 'reset', share: 0.2 }]);
      expect(hit([...accounts].reverse().filter((_, index) => index % 2 === 0)).every((account) => forwards.includes(account))).toBe(true);
    });

    it('draw anew at each attempt, and once for all when sticky; fails when a retry could never help, or always does', () => {
      const attempts = Array.from({ length: 40 }, () => 'ACC-1');
      faults.set([{ kind: 'reset', share: 0.5 }]);
      expect(new Set([hit(attempts).length, 0, 40]).size).toBe(3);
      faults.set([{ kind: 'reset', share: 0.5, sticky: true }]);
      expect([0, 40]).toContain(hit(attempts).length);
    });

    it('draw otherwise for another seed; fails when the seed is not used', () => {
      faults.set([{ kind: 'reset', share: 0.2, seed: 1 }]);
      const first = hit(accounts);
      faults.set([{ kind: 'reset', share: 0.2, seed: 2 }]);
      expect(hit(accounts)).not.toEqual(first);
    });
  });
});
