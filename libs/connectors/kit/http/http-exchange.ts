/** One request and the whole of its answer, bounded. No redirect is followed, and only an uncompressed body is read. */
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import type { Egress } from '../inputs.js';
import type { HttpConnect } from '../register/connect.js';
import type { ReadFailure } from '../source-reader.js';
import type { AnswerHeaders } from './answer.js';
import { egressLookup } from './egress.js';
import { failure, thrownFailure } from './http-failure.js';

const CONNECTIONS_MAX = 4;
const HEADER_BYTES_MAX = 65_536;
/** Of an answer that is no page: enough for whatever says why. */
const ERROR_BYTES_MAX = 65_536;

export interface RawAnswer {
  readonly type: 'raw';
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
}

export interface ExchangeInput {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly dispatcher: Dispatcher;
  readonly connect: Pick<HttpConnect, 'requestTimeoutMs' | 'responseBytesMax' | 'format'>;
  /** What is left of the budget. */
  readonly bytesMax: number;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** `connected` is told when a connection stands: before that nothing was sent. */
export const egressAgent = (egress: Egress, connect: Pick<HttpConnect, 'requestTimeoutMs'>, connected?: () => void): Agent => {
  const connector = buildConnector({ lookup: egressLookup(egress), timeout: connect.requestTimeoutMs });
  return new Agent({
    connections: CONNECTIONS_MAX,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: connect.requestTimeoutMs,
    bodyTimeout: connect.requestTimeoutMs,
    connect: (options, callback) =>
      connector(options, (...result) => {
        if (result[0] === null) connected?.();
        callback(...result);
      }),
  });
};

const ACCEPT: Readonly<Record<HttpConnect['format'], string>> = {
  json: 'application/json',
  'json-lines': 'application/x-ndjson, application/jsonl, application/json',
  'event-stream': 'application/json, text/event-stream',
};

/** Nothing is thrown for what the source does. */
export const exchange = async (input: ExchangeInput): Promise<RawAnswer | ReadFailure> => {
  const { connect, method, url, headers, body, dispatcher } = input;
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(connect.requestTimeoutMs)]);
  const type = body === null ? {} : { 'content-type': 'application/json' };
  try {
    const response = await request(url, {
      method,
      dispatcher,
      headers: { accept: ACCEPT[connect.format], ...type, ...headers, 'accept-encoding': 'identity' },
      body,
      signal,
    });
    return await readAnswer(response, input);
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error;
    return thrownFailure(reason, input.signal.aborted, connect);
  }
};

/** A body that is destroyed unread emits an error, which nobody else would hear. */
const discard = (body: Dispatcher.ResponseData['body']): void => {
  body.on('error', () => undefined);
  body.destroy();
};

const readAnswer = async (
  { statusCode: status, headers, body: stream }: Dispatcher.ResponseData,
  input: ExchangeInput,
): Promise<RawAnswer | ReadFailure> => {
  if (status !== 200) {
    const body = await boundedBody(stream, ERROR_BYTES_MAX);
    return { type: 'raw', status, headers, body: body === 'too-long' ? Buffer.alloc(0) : body };
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && String(encoding).toLowerCase() !== 'identity') {
    discard(stream);
    return failure('response-invalid', 'the answer is compressed although not asked for', status);
  }
  const body = await boundedBody(stream, Math.min(input.bytesMax, input.connect.responseBytesMax));
  return body === 'too-long' ? tooLong(input) : { type: 'raw', status, headers, body };
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
