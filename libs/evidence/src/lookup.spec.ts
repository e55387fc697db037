import { describe, expect, it } from 'vitest';
import { aRegister, aRow, aSource, cleanRead, codesOf, decideOn } from '../test/builders.js';
import { registerProblems } from './register-check.js';

const directory = aSource({ name: 'directory', role: 'lookup' });
const register = aRegister({
  identifiers: { ...aRegister().identifiers, account: { kind: 'scope', normalise: ['trim'], lookup: 'directory' } },
  sources: [directory, aSource()],
});
const looked = (rows: Parameters<typeof aRow>[0][], ended = {}) =>
  decideOn(register, [{ ...cleanRead('directory', [{ rows: rows.map(aRow) }]), ended }, cleanRead('crm')]);

describe('an identifier with a lookup', () => {
  it('is confirmed by a row that agrees in it; fails when an account that exists holds every question', () => {
    expect(looked([{ results: { account: 'agree' }, status: 'void' }]).verdict).toBe('scoped-no-match');
  });

  it.each([
    ['no row', []],
    ['a row that is only near', [{ results: { account: 'near' as const } }]],
    ['a row of another account', [{ results: { account: 'differ' as const } }]],
    ['a row that was not compared', [{ results: {} }]],
  ])('is not confirmed by %s; fails when a misspelt account has no requests, so that one is created', (_, rows) => {
    expect(codesOf(looked(rows))).toEqual(['identity-unvalidated']);
  });

  it('is not confirmed by a lookup that did not answer, nor by one that nobody read', () => {
    expect(codesOf(looked([], { stopReason: 'source-unavailable' }))).toEqual(['identity-unvalidated']);
    expect(codesOf(decideOn(register, [cleanRead('crm')]))).toContain('identity-unvalidated');
  });

  it('whose row was seen before the lookup failed is confirmed: existing is shown by one row', () => {
    expect(looked([{ results: { account: 'agree' } }], { stopReason: 'match-found' }).verdict).toBe('scoped-no-match');
  });

  it('does not count rows of the other sources; fails when a request of the account confirms it and a new account never can', () => {
    const rows = [aRow({ results: { account: 'agree', reference: 'differ' } })];
    expect(codesOf(decideOn(register, [cleanRead('directory'), cleanRead('crm', [{ rows }])]))).toEqual(['identity-unvalidated']);
  });
});

describe('a register with a lookup', () => {
  const paths = (account: object, sources = [directory, aSource()]) =>
    registerProblems(
      aRegister({ identifiers: { ...aRegister().identifiers, account: { kind: 'scope', normalise: [], ...account } }, sources }),
    ).map(({ path }) => path);

  it('names a source of that role, which no question may leave without its value', () => {
    expect(paths({ lookup: 'directory' })).toEqual([]);
    expect(paths({ lookup: 'crm' })).toEqual(['identifiers.account.lookup', 'sources.directory.role']);
    expect(paths({ lookup: 'none' }, [aSource()])).toEqual(['identifiers.account.lookup']);
    expect(paths({ lookup: 'directory', optional: true })).toEqual(['identifiers.account.lookup']);
    expect(paths({})).toEqual(['sources.directory.role']);
  });
});
