/** A real HTTP server on this machine that gives one source's scripted answers, and remembers what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../register/layers/merge-rules.js';
import { fits, type SeenRequest } from './request-pattern.js';
import { bodyOf, headersOf, type Filling } from './response-text.js';
import type { WalkClock } from './walk-clock.js';
import type { WalkResponse } from './walk-file.js';

const REQUEST_BYTES_MAX = 4 * 1_048_576;

export interface WalkServerInput {
  readonly source: string;
  readonly responses: readonly WalkResponse[];
  readonly clock: WalkClock;
  /** The contract's: an answer that is later never comes. */
  readonly requestTimeoutMs: number;
  /** In the order of their arrival, those of other sources too. */
  readonly seen: SeenRequest[];
  /** Those that no answer was written for. */
  readonly unscripted: SeenRequest[];
}

export class WalkServer {
  private readonly server: Server;
  private readonly used = new Map<WalkResponse, number>();

  constructor(private readonly input: WalkServerInput) {
    this.server = createServer((request, response) => void this.answer(request, response).catch(() => response.destroy()));
  }

  async start(): Promise<void> {
    await new Promise<void>((listening, failed) => this.server.once('error', failed).listen(0, '127.0.0.1', listening));
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get origin(): string {
    return `http://${this.host}`;
  }

  /** How many of the ordered answers nobody asked for. */
  get unused(): number {
    return this.input.responses.filter((response) => !response.when && !this.used.has(response)).length;
  }

  stop(): Promise<void> {
    return new Promise((stopped) => {
      this.server.close(() => stopped());
      this.server.closeAllConnections();
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await seenRequest(request, this.input.source);
    this.input.seen.push(seen);
    const chosen = this.chosen(seen);
    if (!chosen) {
      this.input.unscripted.push(seen);
      const text = `no answer is scripted for ${seen.method} ${seen.url}`;
      response.writeHead(404, { 'content-type': 'text/plain' }).end(text);
      return;
    }
    const page = (this.used.get(chosen) ?? 0) + 1;
    this.used.set(chosen, page);
    const { clock, requestTimeoutMs } = this.input;
    const { delayMs = 0 } = chosen;
    clock.pass(Math.min(delayMs, requestTimeoutMs));
    if (delayMs < requestTimeoutMs) send(response, chosen, { origin: this.origin, page });
  }

  private chosen(seen: SeenRequest): WalkResponse | undefined {
    const left = (response: WalkResponse, otherwise: number): boolean => (this.used.get(response) ?? 0) < (response.times ?? otherwise);
    const { responses } = this.input;
    return (
      responses.find((response) => response.when && fits(seen, response.when) && left(response, Infinity)) ??
      responses.find((response) => !response.when && left(response, 1))
    );
  }
}

/** Whether the answer is so late that a real time-out is needed to show it. */
export const isTooLate = (responses: readonly WalkResponse[], requestTimeoutMs: number): boolean =>
  responses.some(({ delayMs = 0 }) => delayMs >= requestTimeoutMs);

const send = (response: ServerResponse, scripted: WalkResponse, filling: Filling): void => {
  const { status = 200, close } = scripted;
  if (close === 'before-headers') return void response.destroy();
  const body = bodyOf(scripted, filling);
  const headers = headersOf(scripted, filling);
  if (close === undefined) return void response.writeHead(status, headers).end(body);
  const broken = close === 'in-body' ? { ...headers, 'content-length': String(body.length) } : headers;
  const sent = close === 'in-body' ? body.subarray(0, Math.floor(body.length / 2)) : body;
  response.writeHead(status, broken).flushHeaders();
  response.write(sent, () => response.destroy());
};

const seenRequest = async (request: IncomingMessage, source: string): Promise<SeenRequest> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > REQUEST_BYTES_MAX) throw new Error(`a request is longer than ${REQUEST_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { source, method: request.method ?? '', url: request.url ?? '/', headers, body: jsonOrText(Buffer.concat(chunks).toString()) };
};

const jsonOrText = (text: string): Json => {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
};
