/** The JSON of an answer's body, by the contract's format. */
import type { HttpConnect } from '../register/connect.js';
import { AnswerUnreadable } from './answer.js';
import { withValue } from './build-request.js';
import { parseExactJson, valueAt, type Json } from './exact-json.js';

/** The last: DynamoDB's own. */
const JSON_TYPE = /^application\/(?:(?:[\w.+-]+\+)?json|x-amz-json-1\.\d)\s*(?:;|$)/i;
const LINES_TYPE = /^(?:application\/(?:x-)?(?:ndjson|jsonl|json-lines)|application\/json-seq)\s*(?:;|$)/i;
const STREAM_TYPE = /^text\/event-stream\s*(?:;|$)/i;

/** @throws AnswerUnreadable */
export const parsedBody = (format: HttpConnect['format'], contentType: string, body: Buffer): Json => {
  const isLines = format === 'json-lines' && LINES_TYPE.test(contentType);
  const isStream = format === 'event-stream' && STREAM_TYPE.test(contentType);
  if (!isLines && !isStream && !JSON_TYPE.test(contentType)) throw new AnswerUnreadable('the answer is no JSON by its content type');
  const text = textOf(body);
  if (isLines || format === 'json-lines') return linesOf(text);
  return isStream ? messageOf(text) : oneJson(text);
};

const textOf = (body: Buffer): string => {
  if (body.length === 0) throw new AnswerUnreadable('the answer is empty');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new AnswerUnreadable('the answer is no UTF-8');
  }
};

const oneJson = (text: string): Json => {
  try {
    return parseExactJson(text);
  } catch {
    throw new AnswerUnreadable('the answer is no JSON');
  }
};

/** One JSON text a line, as a list. A last line that does not end may have been cut. */
const linesOf = (text: string): Json => {
  if (!text.endsWith('\n')) throw new AnswerUnreadable('the last line does not end');
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map(oneJson);
};

/** The one response of JSON-RPC 2.0 among the messages of a stream; requests and notifications of the server are passed over. */
const messageOf = (text: string): Json => {
  const events = text.split(/\r\n\r\n|\n\n|\r\r/).map((event) =>
    event
      .split(/\r\n|\n|\r/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, ''))
      .join('\n'),
  );
  const messages = events.filter((data) => data !== '').map(oneJson);
  const responses = messages.filter((message) => valueAt(message, '/result') !== undefined || valueAt(message, '/error') !== undefined);
  const [response] = responses;
  if (response === undefined || responses.length > 1) throw new AnswerUnreadable('the stream has not exactly one response');
  return response;
};

/** @throws AnswerUnreadable */
export const unwrapped = (json: Json, { unwrap }: Pick<HttpConnect, 'unwrap'>): Json => {
  if (unwrap === undefined) return json;
  const { path, into } = unwrap;
  const text = valueAt(json, path);
  if (typeof text !== 'string') throw new AnswerUnreadable('the text that holds the answer is missing');
  return withValue(json, into, oneJson(text));
};
