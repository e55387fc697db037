/** Errors that mean: the database or the event log is away, or too busy, for now. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Deadlock, serialisation, lock timeout, too many connections, shutting down, starting up, transaction or statement timeout. */
const SQL_STATES = new Set(['40P01', '40001', '55P03', '53300', '57P01', '57P02', '57P03', '25P03', '25P04', '57014']);
const NAMES = new Set(['DatabaseUnreachableError', 'LogUnreachableError']);
const CAUSES_MAX = 8;

export function isOutage(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth += 1) {
    const { code } = current as { code?: unknown };
    if (NAMES.has(current.name)) return true;
    if (typeof code === 'string' && (CONNECTION_CODES.has(code) || SQL_STATES.has(code) || /^08[0-9A-Z]{3}$/.test(code))) return true;
    if (/^Connection terminated/.test(current.message)) return true;
    current = current.cause;
  }
  return false;
}
