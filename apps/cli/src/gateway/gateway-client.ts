/** Calls of the API. An answer is its exact bytes; whatever is no success is a CliError of one line. */
import { CliError } from '../cli-error.js';
import type { Connection } from './connection.js';
import { problemText } from './problem-text.js';

const RESPONSE_BYTES_MAX = 16_777_216;
const CALL_MS_MAX = 20_000;

export interface Call {
  readonly method: 'GET' | 'POST';
  /** Relative to the gateway's address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long gateway may wait by itself before it answers. */
  readonly waitMs?: number;
}

/** @throws CliError */
export async function callGateway({ url, apiKey }: Connection, call: Call): Promise<Buffer> {
  const elapsedMsMax = CALL_MS_MAX + (call.waitMs ?? 0);
  try {
    const response = await fetch(new URL(call.path, url), {
      method: call.method,
      headers: { ...call.headers, authorization: `Bearer ${apiKey}` },
      body: call.body,
      // A key goes to the address it was meant for, and to no other.
      redirect: 'manual',
      signal: AbortSignal.timeout(elapsedMsMax),
    });
    const bytes = await bodyOf(response);
    if (response.status >= 300 && response.status < 400)
      throw new CliError(`${url} sends elsewhere (HTTP ${response.status}): give the address it means as --url or LACUNA_URL`);
    if (!response.ok) throw new CliError(problemText(response.status, bytes.toString('utf8')));
    return bytes;
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(reasonOf(error, url, elapsedMsMax), undefined, { cause: error });
  }
}

/** The answer as an object. @throws CliError when it is none: then something else answers there. */
export function jsonObject<T extends object>(bytes: Buffer, { url }: Connection): T {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T;
  } catch {
    // said below
  }
  throw new CliError(`what answers at ${url} is no gateway: its answer is no JSON object`);
}

async function bodyOf(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > RESPONSE_BYTES_MAX) throw new CliError(`the answer has more than ${RESPONSE_BYTES_MAX} bytes: it is not read`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function reasonOf(error: unknown, url: string, elapsedMsMax: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `the gateway at ${url} did not answer within ${elapsedMsMax / 1_000} s: try again`;
  const why = cause?.code ?? cause?.message ?? message;
  return `no gateway answers at ${url} (${why}): start one (npm start), or give its address as --url or LACUNA_URL`;
}
