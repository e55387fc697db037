import type { ServerResponse } from 'node:http';
import type { Fault } from './fault.js';
import { transportFaults } from './fault.js';
import { problem } from './problem.js';

const LOGIN_PAGE =
  '<!doctype html><html><head><title>Sign in</title></head><body><form method="post"><input name="user"></form></body></html>';

export interface Answer {
  status: number;
  body: string;
  contentType?: 'application/json' | 'application/problem+json' | 'text/html; charset=utf-8';
  headers?: Record<string, string>;
}

export function isTransportFault({ kind }: Fault): boolean {
  return (transportFaults as readonly string[]).includes(kind);
}

export function problemAnswer(status: number, detail: string, headers: Record<string, string> = {}): Answer {
  return { status, body: problem(status, detail), contentType: 'application/problem+json', headers };
}

export function send(response: ServerResponse, { status, body, contentType = 'application/json', headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body), ...headers }).end(body);
}

/** Sends the answer as the fault has it. */
export async function sendFaulted(response: ServerResponse, answer: Answer, fault: Fault): Promise<void> {
  const { kind, status = 500, delayMs = 0, retryAfterSeconds } = fault;
  const bytes = Buffer.from(answer.body);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (kind === 'status') {
    return send(response, problemAnswer(status, 'A fault switch is on.', retryAfter(retryAfterSeconds)));
  }
  if (kind === 'login-page') return send(response, { status: 200, body: LOGIN_PAGE, contentType: 'text/html; charset=utf-8' });
  if (kind === 'half-json')
    return void response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': half.length }).end(half);
  if (kind === 'reset') return void response.socket?.resetAndDestroy();
  if (kind === 'truncated-body') {
    response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': bytes.length });
    return void response.write(half, () => response.socket?.destroy());
  }
  if (kind === 'delay' && (await stillOpenAfter(response, delayMs))) send(response, answer);
}

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** Whether the client is still there by then; a client that goes away ends the wait. */
function stillOpenAfter(response: ServerResponse, delayMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(true), delayMs);
    response.once('close', () => {
      clearTimeout(late);
      resolve(false);
    });
  });
}
