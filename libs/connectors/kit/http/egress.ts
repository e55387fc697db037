/**
 * What may be reached. A register's addresses come from configuration, but a name can be made to point inside: so the host and port must be
 * listed, and every address that the name resolves to is checked at the moment of connecting.
 */
import { lookup as lookupName, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Egress } from '../inputs.js';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Thrown to undici by the lookup, which gives it back as the cause of the failed request. */
export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED';
}

export const hostOf = (url: URL): string => `${url.hostname.toLowerCase()}:${url.port || (DEFAULT_PORTS[url.protocol] ?? '')}`;

/** Why this URL may not be asked; null when it may. An address literal that is listed is meant, so its range is not asked about. */
export const egressProblem = (url: URL, egress: Egress): string | null => {
  if (!(url.protocol in DEFAULT_PORTS)) return 'only http and https are asked';
  if (url.username !== '' || url.password !== '') return 'a URL with credentials is not asked: use a header';
  return egress.hosts.has(hostOf(url)) ? null : 'the host is not allowed';
};

/** Whether a listed name may resolve to that address. */
export const isAllowedAddress = (address: string, hostname: string, egress: Egress): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'unicast') return true;
  if (range === 'loopback' && hostname === 'localhost') return true;
  return egress.networks.some((network) => {
    if (!ipaddr.isValidCIDR(network)) return false;
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base as never, bits);
  });
};

/** A lookup for `net.connect` that gives only allowed addresses, and refuses a name that has any other. */
export const egressLookup =
  (egress: Egress, resolve: typeof lookupName = lookupName): LookupFunction =>
  (hostname, options, callback) => {
    const done = callback as (error: Error | null, address: string | LookupAddress[], family?: number) => void;
    resolve(hostname, { ...(options as LookupOptions), all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const refused = addresses.find(({ address }) => isIP(address) === 0 || !isAllowedAddress(address, hostname, egress));
      const first = addresses[0];
      if (refused || !first) return done(new EgressRefused('the name resolves to an address that is not allowed'), '', 0);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
