/** Errors of connecting, as one line that says what to do. The password never shows. */
const NO_ANSWER = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The database cannot be used as it is configured. `code` is the driver's: the failure table reads it. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** `host:port/database` of a connection URL. */
export function addressOf(url: string): string {
  const { hostname, port, pathname } = parse(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
}

/** The same error, or a clear one where connecting failed. */
export function databaseError(error: unknown, url: string): unknown {
  const code = codeOf(error);
  const { hostname, port, pathname, username } = parse(url);
  const server = `${hostname || 'localhost'}:${port || '5432'}`;
  const say = (message: string) => new DatabaseUnreachableError(message, code ?? 'ETIMEDOUT', { cause: error });
  if (code && NO_ANSWER.has(code)) return say(`PostgreSQL at ${server} does not answer: start it or set LACUNA_DATABASE_URL`);
  if (/timeout (expired|exceeded)|Connection terminated due to connection timeout/i.test(String((error as Error)?.message)))
    return say(`PostgreSQL at ${server} does not answer in time: start it or set LACUNA_DATABASE_URL`);
  if (code === '28P01' || code === '28000') return say(`PostgreSQL at ${server} refuses role "${username}": check LACUNA_DATABASE_URL`);
  if (code === '3D000') return say(`PostgreSQL at ${server} has no database "${pathname.slice(1)}": create it or set LACUNA_DATABASE_URL`);
  return error;
}

function codeOf(error: unknown): string | null {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  return errors?.length ? codeOf(errors[0]) : null;
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new Error('LACUNA_DATABASE_URL is not a URL: postgres://role:password@host:5432/database is one');
  }
}
