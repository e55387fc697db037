import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { describe, expect, it } from 'vitest';
import { aHttpRegister, aTableRegister } from '../../test/registers.js';
import { canonicalText, hashedRegister } from './hashed-register.js';

describe('the hash of a register', () => {
  it.each([['http', aHttpRegister().register] as const, ['table', aTableRegister().register] as const])(
    'is the one that the gateway publishes it under; fails when evidence of the library names another register (%s)',
    (_, register) => {
      expect(hashedRegister(register).hash).toBe(sha256Hex(canonicalJson(JSON.parse(JSON.stringify(register)))));
    },
  );

  it('is of canonical text whatever the order and the names of members', () => {
    const odd = { b: [1.5, -0, 'é\n"', null], '10': true, '9': { y: undefined, x: 1e21 }, ﬀ: 1, '\u{1f600}': 2 };
    expect(canonicalText(odd)).toBe('{"10":true,"9":{"x":1e+21},"b":[1.5,0,"é\\n\\"",null],"\u{1f600}":2,"ﬀ":1}');
  });
});
