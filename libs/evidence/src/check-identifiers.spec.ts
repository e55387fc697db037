import { describe, expect, it } from 'vitest';
import { anAsked, aRegister } from '../test/builders.js';
import { checkIdentifiers } from './check-identifiers.js';

const register = aRegister({
  identifiers: {
    reference: { kind: 'key', normalise: ['trim', 'strip-separators'], format: '[A-Z]+-?\\d*|-| +' },
    account: { kind: 'scope', normalise: [] },
    note: { kind: 'hint', normalise: [], optional: true },
    email: { kind: 'scope', normalise: ['email'], optional: true },
    born: { kind: 'scope', normalise: [{ date: { zone: 'UTC' } }], optional: true },
  },
});
const good = [anAsked('reference', 'R-1'), anAsked('account', 'acme')];
const problems = (identifiers: Parameters<typeof checkIdentifiers>[1]) =>
  checkIdentifiers(register, identifiers).map(({ name, problem }) => `${name} ${problem}`);

describe('checkIdentifiers', () => {
  it('lets a good question pass, with and without what it may leave out', () => {
    expect(problems(good)).toEqual([]);
    expect(problems([...good, anAsked('note', '')])).toEqual(['note empty']);
  });

  it.each([
    ['a key that is left out could not be compared', good.slice(1), 'reference missing'],
    ['a scope that is not optional', good.slice(0, 1), 'account missing'],
    ['a name that the register does not have', [...good, anAsked('toString', 'x')], 'toString unknown'],
    ['two values for one name', [...good, anAsked('account', 'other')], 'account duplicated'],
    ['a format that holds for a part only', [anAsked('reference', 'R-1; drop'), ...good.slice(1)], 'reference bad-format'],
    ['a value that is empty in normal form', [anAsked('reference', '-'), ...good.slice(1)], 'reference empty'],
    ['a value above 512 units', [...good.slice(0, 1), anAsked('account', 'x'.repeat(513))], 'account too-long'],
    ['NUL, which PostgreSQL text cannot hold', [...good.slice(0, 1), anAsked('account', 'a\0')], 'account not-text'],
    ['half a surrogate pair', [...good.slice(0, 1), anAsked('account', '\ud800')], 'account not-text'],
    ['a value that cannot be read', [...good, anAsked('email', 'Ann <ann@example.org>')], 'email unreadable'],
    ['a domain of which nobody can be sure', [...good, anAsked('email', 'ann@Ꭰ.example')], 'email unreadable'],
    ['a date of another calendar', [...good, anAsked('born', '1452-04-15')], 'born unreadable'],
    ['what cannot be seen, where nothing takes it out', [...good.slice(0, 1), anAsked('account', 'ac\u200bme')], 'account invisible'],
    ['a key of a character whose form may change', [anAsked('reference', 'R\u0378'), ...good.slice(1)], 'reference not-text'],
  ])('refuses %s', (_why, identifiers, problem) => expect(problems(identifiers)).toEqual([problem]));

  it('accepts 512 units', () => expect(problems([...good.slice(0, 1), anAsked('account', 'x'.repeat(512))])).toEqual([]));
});
