import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { Answer } from './answer.js';
import { isTransportFault, problemAnswer, send, sendFaulted } from './answer.js';
import type { Fault, FaultTarget } from './fault.js';
import { FaultSwitches } from './fault-switches.js';
import { parseFaults } from './parse-faults.js';
import { BadRequest } from './problem.js';
import { readBody } from './read-body.js';
import type { Reading } from './routes.js';
import { route } from './routes.js';

export interface SampleSourceOptions {
  databaseUrl: string;
  /** A free one, when absent. */
  port?: number;
  host?: string;
  /** Asked for as a bearer token of every request but /healthz. */
  token?: string;
  now?: () => Date;
}

export interface ReceivedRequest extends FaultTarget {
  at: string;
  /** Path and query. */
  url: string;
}

export interface SampleSource {
  readonly url: string;
  readonly faults: FaultSwitches;
  /** The reads so far, in order, at most the last 200,000. */
  requests(account?: string): readonly ReceivedRequest[];
  stop(): Promise<void>;
}

const REQUESTS_MAX = 200_000;
const POOL_CONNECTIONS_MAX = 8;
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Starts the register over the sample table. What is switched on in `faults` holds for this process alone. */
export async function startSampleSource(options: SampleSourceOptions): Promise<SampleSource> {
  const { databaseUrl, port = 0, host = '127.0.0.1', token, now = () => new Date() } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_CONNECTIONS_MAX,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'lacuna-sample-source',
  });
  pool.on('error', () => undefined);
  // A connection that is closing is no longer the pool's to listen to: the server may end it first.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const faults = new FaultSwitches(now);
  const received: ReceivedRequest[] = [];
  const note = (target: FaultTarget, url: string) => {
    if (received.length >= REQUESTS_MAX) received.splice(0, REQUESTS_MAX / 10);
    received.push({ ...target, url, at: now().toISOString() });
  };
  const server = createServer((request, response) => {
    void handle({ pool, faults, note, token }, request, response).catch((error: unknown) => sendFailure(response, error));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    faults,
    requests: (account) => received.filter((one) => account === undefined || one.account === account),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await pool.end();
    },
  };
}

interface Source {
  pool: pg.Pool;
  faults: FaultSwitches;
  note: (target: FaultTarget, url: string) => void;
  token: string | undefined;
}

async function handle(source: Source, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sample');
  if (url.pathname === '/healthz') return send(response, { status: 200, body: '{"status":"ok"}' });
  if (source.token !== undefined && !isBearer(request, source.token)) {
    return send(response, problemAnswer(401, 'Send the token: Authorization: Bearer ...', { 'www-authenticate': 'Bearer' }));
  }
  if (url.pathname === '/faults') return send(response, await answerFaults(source.faults, request));
  if (request.method !== 'GET') return send(response, problemAnswer(405, 'Only GET is answered here.', { allow: 'GET' }));
  const reading = await route(source.pool, url);
  if (!reading) return send(response, problemAnswer(404, `There is no ${url.pathname}.`));
  source.note(reading.target, `${url.pathname}${url.search}`);
  await answerReading(source.faults, reading, response);
}

async function answerReading(faults: FaultSwitches, { target, answer, changed }: Reading, response: ServerResponse): Promise<void> {
  const taken = faults.take<{ fault?: Fault; answer?: Answer }>(target, (fault) => {
    if (isTransportFault(fault)) return { fault };
    const other = changed(fault);
    return other && { answer: other };
  });
  if (taken?.fault) return sendFaulted(response, answer, taken.fault);
  send(response, taken?.answer ?? answer);
}

async function answerFaults(faults: FaultSwitches, request: IncomingMessage): Promise<Answer> {
  if (request.method === 'PUT') faults.set(parseFaults(await readBody(request)));
  else if (request.method === 'POST') faults.add(parseFaults(await readBody(request)));
  else if (request.method === 'DELETE') faults.clear();
  else if (request.method !== 'GET') return problemAnswer(405, 'GET, PUT, POST and DELETE are answered here.');
  return { status: 200, body: JSON.stringify({ faults: faults.list(), applied: faults.applied() }) };
}

function isBearer(request: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`));
}

function sendFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.socket?.destroy();
  const { message } = error as Error;
  send(response, error instanceof BadRequest ? problemAnswer(400, message) : problemAnswer(503, `The table could not be read: ${message}`));
}
