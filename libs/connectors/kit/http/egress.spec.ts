import type { lookup, LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { egressLookup, EgressRefused, egressProblem, isAllowedAddress } from './egress.js';

const egress = { hosts: new Set(['api.example.org:443', '10.0.0.5:80', 'localhost:80']), networks: ['10.1.0.0/16'] };

/** A resolver that gives these addresses. */
const resolving = (...addresses: string[]): typeof lookup =>
  ((_name: string, _options: unknown, done: (error: Error | null, found: LookupAddress[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;

const lookedUp = (name: string, ...addresses: string[]): Promise<unknown> =>
  new Promise((done) => egressLookup(egress, resolving(...addresses))(name, { all: true }, (error, found) => done(error ?? found)));

describe('the addresses that a listed name may resolve to', () => {
  // Fails if a name that is made to point inside is followed there: metadata services and neighbours answer anybody.
  it.each([
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fd00::1',
    'fe80::1',
    '0.0.0.0',
    '100.64.0.1',
    '224.0.0.1',
    'not an address',
  ])('are not %s', (address) => {
    expect(isAllowedAddress(address, 'api.example.org', egress)).toBe(false);
  });

  it('are public ones, those of a network that is meant, and loopback for localhost', () => {
    expect(isAllowedAddress('93.184.216.34', 'api.example.org', egress)).toBe(true);
    expect(isAllowedAddress('2606:2800:220:1::1', 'api.example.org', egress)).toBe(true);
    expect(isAllowedAddress('10.1.2.3', 'api.example.org', egress)).toBe(true);
    expect(isAllowedAddress('127.0.0.1', 'localhost', egress)).toBe(true);
  });

  // Fails if one good address lets the bad ones beside it through.
  it('are all checked, not only the first', async () => {
    expect(await lookedUp('api.example.org', '93.184.216.34', '127.0.0.1')).toBeInstanceOf(EgressRefused);
    expect(await lookedUp('api.example.org')).toBeInstanceOf(EgressRefused);
    expect(await lookedUp('api.example.org', '93.184.216.34')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('are asked for only where host and port are listed', () => {
    const problem = (url: string): string | null => egressProblem(new URL(url), egress);
    expect([problem('https://API.example.org/x'), problem('http://10.0.0.5/')]).toEqual([null, null]);
    expect(problem('https://api.example.org:8443/')).not.toBeNull();
    expect(problem('https://api.example.org.evil.test/')).not.toBeNull();
    expect(problem('https://user@api.example.org/')).not.toBeNull();
    expect(problem('ftp://api.example.org/')).not.toBeNull();
  });
});
