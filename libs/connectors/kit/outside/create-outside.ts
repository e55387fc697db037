/**
 * Sends one create to a system that is not ours, once, and says what became of it.
 * 1. Before a connection stands nothing was sent; from then on every failure is `unknown`.
 * 2. `maySend` is asked directly before the request: who lost the right meanwhile sends nothing.
 * 3. No redirect is followed, and nothing is repeated here.
 */
import type { Dispatcher } from 'undici';
import { credentialOf } from '../http/authenticate.js';
import { headerText } from '../http/answer.js';
import { below, withValue } from '../http/build-request.js';
import { egressProblem } from '../http/egress.js';
import type { Json } from '../http/exact-json.js';
import { egressAgent, exchange } from '../http/http-exchange.js';
import { retryAfterMsOf } from '../http/http-failure.js';
import { CannotAsk, secretOf } from '../http/request-values.js';
import type { Clock, Egress, Secrets } from '../inputs.js';
import { outcomeOfAnswer, type OutsideOutcome } from './outside-answer.js';
import type { OutsideCreate } from './outside-target.js';

export interface CreateInput {
  readonly create: OutsideCreate;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The same for every send of one use of a slot. */
  readonly idempotencyKey: string;
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly maySend: () => boolean;
}

const ANSWER_BYTES_MAX = 1_048_576;

/** Never rejects for what the system does. */
export const createOutside = async (input: CreateInput): Promise<OutsideOutcome> => {
  const sight = { connected: false };
  const { create, egress } = input;
  const tokens = egressAgent(egress, create);
  const target = egressAgent(egress, create, () => (sight.connected = true));
  try {
    return await send(input, sight, tokens, target);
  } catch (error) {
    if (error instanceof CannotAsk) return notSent(error.failure.detail, error.failure.retryAfterMs);
    throw error;
  } finally {
    await Promise.all([tokens.destroy(), target.destroy()]);
  }
};

const send = async (
  { create, payload, idempotencyKey, secrets, egress, clock, signal, maySend }: CreateInput,
  sight: { readonly connected: boolean },
  tokens: Dispatcher,
  dispatcher: Dispatcher,
): Promise<OutsideOutcome> => {
  const base = secretOf(create.url, secrets);
  const problem = URL.canParse(base) ? egressProblem(new URL(base), egress) : 'the base URL is no URL';
  if (problem !== null) return { type: 'refused', detail: problem };
  const url = below(new URL(base), create.path);
  const credential = await credentialOf(create.auth, { secrets, egress, clock, dispatcher: tokens, connect: create, signal });
  for (const [name, value] of Object.entries(credential.query)) url.searchParams.set(name, value);
  const idempotency = create.idempotencyHeader === null ? {} : { [create.idempotencyHeader]: idempotencyKey };
  if (!maySend() || signal.aborted) return notSent('somebody else may send by now');
  const answer = await exchange({
    method: 'POST',
    url,
    headers: { ...create.headers, ...idempotency, ...credential.headers },
    body: JSON.stringify(withValue({}, create.payloadAt, payload as Json)),
    dispatcher,
    connect: { requestTimeoutMs: create.requestTimeoutMs, responseBytesMax: ANSWER_BYTES_MAX, format: 'json' },
    bytesMax: ANSWER_BYTES_MAX,
    signal,
  });
  if (answer.type === 'failure') {
    if (sight.connected) return { type: 'unknown', detail: answer.detail };
    return answer.reason === 'source-forbidden' ? { type: 'refused', detail: answer.detail } : notSent(answer.detail, null);
  }
  const retryAfterMs = retryAfterMsOf(headerText(answer.headers, 'retry-after'), clock.now());
  return outcomeOfAnswer({ status: answer.status, body: answer.body, retryAfterMs }, create);
};

const notSent = (detail: string, retryAfterMs: number | null = null): OutsideOutcome => ({ type: 'not-sent', detail, retryAfterMs });
