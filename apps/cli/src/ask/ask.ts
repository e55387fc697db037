/** `lacuna ask`: one question, one answer, one exit code. */
import { coloursFor } from '../colours.js';
import { CliError, exitCodes } from '../cli-error.js';
import { connectionOf } from '../gateway/connection.js';
import { callGateway, jsonObject } from '../gateway/gateway-client.js';
import type { Surroundings } from '../surroundings.js';
import type { Answer } from './answer.js';
import { answerText } from './answer-text.js';
import { exitCodeOf } from './exit-code.js';
import { namedPayload } from './payload.js';
import { parseIdentifiers, questionBody } from './question-body.js';

export interface AskOptions {
  readonly url?: string;
  readonly kind?: string;
  /** JSON, or @ and the name of a file. */
  readonly create?: string;
  readonly wait: number;
  readonly idempotencyKey?: string;
  readonly provenance?: string;
  readonly json?: boolean;
}

/** @returns the exit code */
export async function ask(
  register: string,
  identifierTexts: readonly string[],
  options: AskOptions,
  { env, print, printBytes, hasColour }: Surroundings,
): Promise<number> {
  const identifiers = parseIdentifiers(identifierTexts);
  if (options.create !== undefined && (options.kind ?? 'exists') !== 'exists')
    throw new CliError(`--create goes with --kind exists: a question of kind ${options.kind} never creates`, exitCodes.usage);
  const payload = options.create === undefined ? null : await namedPayload('--create', options.create);
  const connection = await connectionOf(options.url, env);
  const bytes = await callGateway(connection, {
    method: 'POST',
    path: `v1/questions?wait=${options.wait}`,
    headers: { 'content-type': 'application/json', ...idempotency(options.idempotencyKey) },
    body: questionBody({ register, kind: options.kind, identifiers, provenance: options.provenance, payload }),
    waitMs: options.wait * 1_000,
  });
  const answer = jsonObject<Answer>(bytes, connection);
  if (options.json) printBytes(Buffer.concat([bytes, Buffer.from('\n')]));
  else print(answerText(assertAnswer(answer, connection.url), coloursFor(hasColour)));
  return exitCodeOf(answer);
}

function idempotency(key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new CliError('--idempotency-key must be 1 to 200 visible ASCII characters', exitCodes.usage);
  return { 'idempotency-key': key };
}

function assertAnswer(answer: Answer, url: string): Answer {
  if (typeof answer.questionId !== 'string' || !Array.isArray(answer.reasons))
    throw new CliError(`what answers at ${url} is no gateway: its answer is no answer to a question`);
  return answer;
}
