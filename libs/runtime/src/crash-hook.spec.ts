import { describe, expect, it } from 'vitest';
import { crashHook } from './crash-hook.js';

describe('a crash point', () => {
  it.each([
    ['after-commit', 1],
    ['after-commit@3', 3],
  ])('%s ends the process at passage %i of that point only; fails when a crash test kills at another moment', (setting, passage) => {
    let passages = 0;
    const killedAt: number[] = [];
    const pass = crashHook(setting, () => killedAt.push(passages));
    for (passages = 1; passages <= 5; passages += 1) {
      void pass('before-commit', 'there');
      void pass('after-commit', 'here');
    }
    expect(killedAt).toEqual([passage]);
  });

  it('does nothing when none is set', () => {
    expect(crashHook(null, () => expect.unreachable())('after-commit', 'here')).toBeUndefined();
  });
});
