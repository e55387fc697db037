import type { SecretReference } from './register/connect.js';

/** Time as an input. */
export interface Clock {
  now(): Date;
  /** Milliseconds that only grow, from any start; absent: the process's own. */
  monotonicMs?(): number;
}

export const monotonicMsOf = (clock: Clock): number => clock.monotonicMs?.() ?? performance.now();

/** Gives the value behind a reference, or null when there is none. Values are never logged or stored. */
export type Secrets = (reference: SecretReference) => string | null;

/** What may be reached over HTTP. */
export interface Egress {
  /** `host:port`, lower case: `api.example.org:443`, `127.0.0.1:8080`, `[::1]:8080`. */
  readonly hosts: ReadonlySet<string>;
  /** Private networks that a listed name may resolve to, in CIDR form. Loopback: only by a listed `localhost`, `127.0.0.1` or `[::1]`. */
  readonly networks: readonly string[];
}
