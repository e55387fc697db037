/** Whether an answer is a page, nothing at all, or a failure with its reason. */
import type { Clock } from '../inputs.js';
import type { ErrorMatch, HttpConnect, RetryAfter } from '../register/connect.js';
import type { ReadFailure } from '../source-reader.js';
import { type Answer, AnswerUnreadable, headerText, isAmong, valueOf } from './answer.js';
import { parsedBody, unwrapped } from './body-formats.js';
import type { Json } from './exact-json.js';
import type { RawAnswer } from './http-exchange.js';
import { failure, retryAfterMsOf, statusFailure, type Standing } from './http-failure.js';

export type Judged =
  { readonly type: 'page'; readonly answer: Answer } | { readonly type: 'nothing'; readonly status: number } | ReadFailure;

const RETRY_AFTER_MAX_MS = 86_400_000;

export const judgeAnswer = (raw: RawAnswer, connect: HttpConnect, standing: Standing, clock: Clock): Judged => {
  const read = readJson(raw, connect);
  const answer: Answer = { status: raw.status, headers: raw.headers, json: read.json };
  const retryAfterMs = retryAfter(answer, connect.retryAfter, clock);
  const matched = matchedError(answer, connect, retryAfterMs);
  if (matched) return matched;
  if (connect.request.graphql !== undefined && hasErrors(answer.json))
    return failure('error-in-success', 'the answer has errors', raw.status);
  if (raw.status === 204 && connect.noContent === 'empty') return { type: 'nothing', status: 204 };
  // Behind the first page a 404 is no answer about the records: the walk has lost its place.
  if (raw.status === 404 && connect.notFound === 'empty' && standing === 'start') return { type: 'nothing', status: 404 };
  if (raw.status !== 200) return statusFailure(raw.status, standing, retryAfterMs);
  return read.problem === null ? { type: 'page', answer } : failure('response-invalid', read.problem, raw.status);
};

/** What says that a request which gives no page was refused; null: it succeeded. */
export const refusalOf = (raw: RawAnswer, connect: HttpConnect, clock: Clock): ReadFailure | null => {
  const { json } = readJson(raw, { ...connect, unwrap: undefined });
  const answer: Answer = { status: raw.status, headers: raw.headers, json };
  const retryAfterMs = retryAfter(answer, connect.retryAfter, clock);
  const isSuccess = raw.status >= 200 && raw.status < 300;
  return matchedError(answer, connect, retryAfterMs) ?? (isSuccess ? null : statusFailure(raw.status, 'start', retryAfterMs));
};

const matchedError = (answer: Answer, { errors }: HttpConnect, retryAfterMs: number | null): ReadFailure | null => {
  const matched = errors.find((match) => fits(match, answer));
  return matched ? failure(matched.reason, `HTTP ${answer.status}: as the contract says of it`, answer.status, retryAfterMs) : null;
};

/** Of an answer that is no page the body is read as far as it can be: an error says itself beside a text that is no JSON. */
const readJson = ({ headers, body }: RawAnswer, connect: HttpConnect): { readonly json: Json; readonly problem: string | null } => {
  let json: Json = null;
  try {
    json = parsedBody(connect.format, headerText(headers, 'content-type') ?? '', body);
    return { json: unwrapped(json, connect), problem: null };
  } catch (error) {
    if (error instanceof AnswerUnreadable) return { json, problem: error.message };
    throw error;
  }
};

const fits = ({ status, path, values, contains }: ErrorMatch, answer: Answer): boolean => {
  if (status !== undefined && !status.includes(answer.status)) return false;
  if (path === undefined) return true;
  const value = readable(() => valueOf(answer, path));
  // `error: null` says that there is none, unless null is a value that the contract lists.
  if (value === undefined || (value === null && values === undefined)) return false;
  if (values !== undefined && !isAmong(value, values, path)) return false;
  return contains === undefined || (typeof value === 'string' && value.toLowerCase().includes(contains.toLowerCase()));
};

const readable = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof AnswerUnreadable) return undefined;
    throw error;
  }
};

const hasErrors = (json: Json): boolean => {
  const errors =
    typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Readonly<Record<string, Json>>)['errors'] : undefined;
  return errors !== undefined && errors !== null && !(Array.isArray(errors) && errors.length === 0);
};

const retryAfter = (answer: Answer, places: readonly RetryAfter[], clock: Clock): number | null => {
  for (const { path, unit } of places) {
    const value = readable(() => valueOf(answer, path));
    const ms = value === undefined || value === null ? null : waitOf(String(value), unit, clock.now());
    if (ms !== null) return ms;
  }
  return null;
};

const waitOf = (text: string, unit: RetryAfter['unit'], now: Date): number | null => {
  if (unit === 'http-date-or-seconds') return retryAfterMsOf(text, now);
  if (!/^\d{1,16}(?:\.\d{1,9})?$/.test(text.trim())) return null;
  const number = Number(text);
  const ms = {
    seconds: number * 1_000,
    milliseconds: number,
    'epoch-seconds': number * 1_000 - now.getTime(),
    'epoch-milliseconds': number - now.getTime(),
  }[unit];
  return Math.min(Math.max(Math.ceil(ms), 0), RETRY_AFTER_MAX_MS);
};
