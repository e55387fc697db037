import type { AskedIdentifier } from '@lacuna/evidence';
import type { AskedValues } from './asked-values.js';
import { HttpReader } from './http/http-reader.js';
import type { Clock, Egress, Secrets } from './inputs.js';
import type { ConnectorKind } from './register/connect.js';
import type { DocumentSource, RegisterDocument } from './register/register-document.js';
import type { RateLimiter } from './rate-limiter.js';
import type { SourceReader } from './source-reader.js';
import { singleConnections, type PostgresConnections } from './sql/postgres-connections.js';
import { SqlReader } from './sql/sql-reader.js';

export const connectorKinds: readonly ConnectorKind[] = ['http', 'postgres'];

/** What a reader of one attempt is made of. */
export interface ReaderInputs {
  readonly register: RegisterDocument;
  readonly identifiers: readonly Pick<AskedIdentifier, 'name' | 'value'>[];
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly clock: Clock;
  /** Bounds each statement of a table source; an HTTP source's contract has its own bound. */
  readonly elapsedMsMax: number;
  /** Connections to tables that outlive one attempt; absent: each attempt opens its own. */
  readonly connections?: PostgresConnections;
  /** Shared by all that ask the same sources; absent: by this process. */
  readonly rateLimiter?: RateLimiter;
  /** Waits of a reader itself: retries, polls, its rate. Absent: the process's timers. */
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** A reader for one attempt over one source; nothing is reached before its `open`. */
export const readerFor = (source: DocumentSource, inputs: ReaderInputs): SourceReader => {
  const { register, identifiers, secrets, egress, clock, elapsedMsMax, connections = singleConnections, rateLimiter, sleep } = inputs;
  const asked: AskedValues = Object.fromEntries(
    identifiers.map(({ name, value }) => [name, { value, personal: register.identifiers[name]?.personal === true }]),
  );
  const { connect } = source;
  switch (connect.type) {
    case 'http':
      return new HttpReader({ source, connect, asked, secrets, egress, clock, rateLimiter, sleep });
    case 'postgres':
      return new SqlReader({ register, source, connect, asked, secrets, clock, elapsedMsMax, connections });
  }
};
