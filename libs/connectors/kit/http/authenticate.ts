/** How a credential is sent, by reference: no secret is kept in a register, written down or shown. */
import type { Dispatcher } from 'undici';
import type { Clock, Egress, Secrets } from '../inputs.js';
import { monotonicMsOf } from '../inputs.js';
import type { HttpAuth, HttpConnect } from '../register/connect.js';
import { sha256Hex } from '../sha256.js';
import type { ReadFailure } from '../source-reader.js';
import { egressProblem } from './egress.js';
import { parseExactJson, valueAt } from './exact-json.js';
import { exchange } from './http-exchange.js';
import { failure } from './http-failure.js';
import { CannotAsk, secretOf } from './request-values.js';

/** What a request gets; parameters of the query are set last. */
export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export interface AuthInputs {
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly connect: Pick<HttpConnect, 'requestTimeoutMs'>;
  readonly signal: AbortSignal;
}

type ClientCredentials = Extract<HttpAuth, { kind: 'oauth2-client-credentials' }>;

const NOTHING: Credential = { headers: {}, query: {} };
/** Taken anew that long before it ends. */
const RENEWED_BEFORE_MS = 30_000;
const TOKEN_BYTES_MAX = 65_536;
const TOKENS_MAX = 1_000;

interface Token {
  readonly token: string;
  readonly endsAtMs: number;
}

/** Of this process, by the digest of what they were given for. */
const tokens = new Map<string, Token>();

/** @throws CannotAsk */
export const credentialOf = async (auth: HttpAuth, inputs: AuthInputs): Promise<Credential> => {
  const { secrets } = inputs;
  switch (auth.kind) {
    case 'none':
      return NOTHING;
    case 'bearer':
      return { headers: { authorization: `Bearer ${secretOf(auth.token, secrets)}` }, query: {} };
    case 'basic':
      return { headers: { authorization: basic(secretOf(auth.user, secrets), secretOf(auth.password, secrets)) }, query: {} };
    case 'api-key': {
      const value = `${auth.prefix}${secretOf(auth.value, secrets)}`;
      return auth.in === 'header' ? { headers: { [auth.name]: value }, query: {} } : { headers: {}, query: { [auth.name]: value } };
    }
    case 'oauth2-client-credentials':
      return { headers: { authorization: `Bearer ${(await tokenOf(auth, inputs)).token}` }, query: {} };
  }
};

/** After a 401: the next credential is a new one. True where that can help. */
export const forgetCredential = (auth: HttpAuth, { secrets }: Pick<AuthInputs, 'secrets'>): boolean =>
  auth.kind === 'oauth2-client-credentials' && tokens.delete(keyOf(auth, secrets));

const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The secret belongs to it: who has another one has no right to the token. */
const keyOf = ({ tokenUrl, clientId, clientSecret, scope, audience }: ClientCredentials, secrets: Secrets): string => {
  const own = [tokenUrl, clientId, clientSecret].map((reference) => secretOf(reference, secrets));
  return sha256Hex(JSON.stringify([...own, scope ?? null, audience ?? null]));
};

const tokenOf = async (auth: ClientCredentials, inputs: AuthInputs): Promise<Token> => {
  const key = keyOf(auth, inputs.secrets);
  const kept = tokens.get(key);
  if (kept && monotonicMsOf(inputs.clock) < kept.endsAtMs - RENEWED_BEFORE_MS) return kept;
  const token = await askToken(auth, inputs);
  if (tokens.size >= TOKENS_MAX) tokens.clear();
  tokens.set(key, token);
  return token;
};

/** RFC 6749, 4.4. @throws CannotAsk */
const askToken = async (auth: ClientCredentials, { secrets, egress, clock, dispatcher, connect, signal }: AuthInputs): Promise<Token> => {
  const { url, id, secret } = {
    url: secretOf(auth.tokenUrl, secrets),
    id: secretOf(auth.clientId, secrets),
    secret: secretOf(auth.clientSecret, secrets),
  };
  const problem = URL.canParse(url) ? egressProblem(new URL(url), egress) : 'the token URL is no URL';
  if (problem !== null) throw new CannotAsk(failure('source-forbidden', problem));
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(auth.scope ? { scope: auth.scope } : {}),
    ...(auth.audience ? { audience: auth.audience } : {}),
  });
  if (auth.clientAuth === 'body')
    for (const [name, value] of [
      ['client_id', id],
      ['client_secret', secret],
    ] as const)
      form.set(name, value);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(auth.clientAuth === 'basic' ? { authorization: basic(encodeURIComponent(id), encodeURIComponent(secret)) } : {}),
  };
  const askedAtMs = monotonicMsOf(clock);
  const bounds = { requestTimeoutMs: connect.requestTimeoutMs, responseBytesMax: TOKEN_BYTES_MAX, format: 'json' as const };
  const answer = await exchange({
    method: 'POST',
    url: new URL(url),
    headers,
    body: form.toString(),
    dispatcher,
    connect: bounds,
    bytesMax: TOKEN_BYTES_MAX,
    signal,
  });
  if (answer.type === 'failure') throw new CannotAsk(answer);
  if (answer.status !== 200) throw new CannotAsk(tokenFailure(answer.status));
  return tokenIn(answer.body, askedAtMs);
};

const tokenFailure = (status: number): ReadFailure =>
  failure(status >= 500 || status === 429 ? 'source-unavailable' : 'source-forbidden', 'the token endpoint gives no token', status);

const tokenIn = (body: Buffer, askedAtMs: number): Token => {
  try {
    const json = parseExactJson(body.toString('utf8'));
    const [token, lifetime] = [valueAt(json, '/access_token'), valueAt(json, '/expires_in')];
    if (typeof token !== 'string' || token === '') throw new SyntaxError('no token');
    // Without a lifetime it serves one request.
    return { token, endsAtMs: askedAtMs + (Number(lifetime) > 0 ? Number(lifetime) * 1_000 : 0) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CannotAsk(failure('source-forbidden', 'the token endpoint answers no token', 200));
  }
};
