/** One GET: headers, bounded body, JSON. No redirect is followed, and only an uncompressed body is read. */
import { Agent, request, type Dispatcher } from 'undici';
import type { Clock, Egress } from '../inputs.js';
import type { HttpConnect } from '../register/connect.js';
import type { ReadFailure } from '../source-reader.js';
import { egressLookup } from './egress.js';
import { parseExactJson, type Json } from './exact-json.js';
import { failure, retryAfterMsOf, statusFailure, thrownFailure, type Place } from './http-failure.js';

const CONNECTIONS_MAX = 4;
const HEADER_BYTES_MAX = 65_536;

export interface JsonAnswer {
  readonly type: 'json';
  readonly json: Json;
  readonly body: Buffer;
}

export type Exchange = JsonAnswer | { readonly type: 'not-found' } | ReadFailure;

export interface ExchangeInput {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly connect: HttpConnect;
  readonly clock: Clock;
  /** What is left of the budget. */
  readonly bytesMax: number;
  readonly place: Place;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

export const egressAgent = (egress: Egress, connect: HttpConnect): Agent =>
  new Agent({
    connections: CONNECTIONS_MAX,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: connect.requestTimeoutMs,
    bodyTimeout: connect.requestTimeoutMs,
    connect: { lookup: egressLookup(egress), timeout: connect.requestTimeoutMs },
  });

/** Nothing is thrown for what the source does. */
export const exchange = async (input: ExchangeInput): Promise<Exchange> => {
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(input.connect.requestTimeoutMs)]);
  try {
    const response = await request(input.url, {
      dispatcher: input.dispatcher,
      headers: { ...input.headers, accept: 'application/json', 'accept-encoding': 'identity' },
      signal,
    });
    return await readAnswer(response, input);
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error;
    return thrownFailure(reason, input.signal.aborted, input.connect);
  }
};

const headerOf = (response: Dispatcher.ResponseData, name: string): string | undefined => {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** A body that is destroyed unread emits an error, which nobody else would hear. */
const discard = (body: Dispatcher.ResponseData['body']): void => {
  body.on('error', () => undefined);
  body.destroy();
};

const readAnswer = async (response: Dispatcher.ResponseData, input: ExchangeInput): Promise<Exchange> => {
  const { statusCode } = response;
  if (statusCode !== 200) {
    discard(response.body);
    // Behind the first page a 404 is no answer about the records: the walk has lost its place.
    if (statusCode === 404 && input.connect.notFound === 'empty' && input.place === 'start') return { type: 'not-found' };
    return statusFailure(statusCode, input.place, retryAfterMsOf(headerOf(response, 'retry-after'), input.clock.now()));
  }
  const wrong = headerProblem(headerOf(response, 'content-type'), headerOf(response, 'content-encoding'));
  if (wrong !== null) {
    discard(response.body);
    return failure('response-invalid', wrong, statusCode);
  }
  const body = await boundedBody(response.body, Math.min(input.bytesMax, input.connect.responseBytesMax));
  if (body === 'too-long') return tooLong(input);
  return jsonAnswer(body);
};

const headerProblem = (contentType: string | undefined, contentEncoding: string | undefined): string | null => {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) return 'the answer is no JSON by its content type';
  return contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity'
    ? null
    : 'the answer is compressed although not asked for';
};

const tooLong = ({ bytesMax, connect }: ExchangeInput): ReadFailure =>
  bytesMax < connect.responseBytesMax
    ? failure('budget-bytes', 'the answer is longer than what the budget leaves', 200)
    : failure('truncated', `the answer is longer than ${connect.responseBytesMax} bytes`, 200);

const boundedBody = async (stream: Dispatcher.ResponseData['body'], bytesMax: number): Promise<Buffer | 'too-long'> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      discard(stream);
      return 'too-long';
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
};

const jsonAnswer = (body: Buffer): Exchange => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { type: 'json', json: parseExactJson(text), body };
  } catch {
    return failure('response-invalid', body.length === 0 ? 'the answer is empty' : 'the answer is no JSON', 200);
  }
};
