/**
 * Asks one source: with its credential, within its rate, as often as may be.
 * 1. Every request goes to the base URL's origin.
 * 2. A request is repeated within the attempt only where that cannot skip a page: a first page, a number of ours, a cursor that replays.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ReasonCode } from '@lacuna/evidence';
import type { Dispatcher } from 'undici';
import { backoffMs } from '../backoff.js';
import { memoryRateLimiter } from '../rate-limiter.js';
import type { HttpConnect } from '../register/connect.js';
import type { ReadFailure, ReadRequest } from '../source-reader.js';
import { isAmong, valueOf } from './answer.js';
import { credentialOf, forgetCredential } from './authenticate.js';
import type { BuiltRequest } from './build-request.js';
import { egressAgent, exchange, type RawAnswer } from './http-exchange.js';
import { failure, type Standing } from './http-failure.js';
import type { HttpReaderInputs } from './http-reader.js';
import { type Judged, judgeAnswer } from './judge-answer.js';

export type Asking = Pick<ReadRequest, 'bytesMax' | 'signal'>;
interface AskingForPage extends Asking {
  readonly cursor?: string | null;
  /** Looked at once it is our turn: a cursor can grow too old while it waits. */
  readonly isTooOld?: () => boolean;
}
export type JudgedPage = Extract<Judged, { type: 'page' | 'nothing' }> & { readonly body: Buffer };

const RETRIED: readonly ReasonCode[] = ['timed-out', 'source-unavailable', 'rate-limited'];

const ownLimiter = memoryRateLimiter();

export class SourceAsker {
  private readonly dispatcher: Dispatcher;

  constructor(
    readonly base: URL,
    private readonly inputs: HttpReaderInputs,
  ) {
    this.dispatcher = egressAgent(inputs.egress, inputs.connect);
  }

  close(): Promise<void> {
    return this.dispatcher.destroy();
  }

  /** Asks until the answer is in a terminal state, or is no page. */
  async askPage(built: BuiltRequest, asking: AskingForPage): Promise<JudgedPage | ReadFailure> {
    const { state } = this.inputs.connect;
    for (let polls = 0; ; polls += 1) {
      const judged = await this.askAgain(built, asking, this.inputs.connect);
      if (judged.type !== 'page' || state === undefined) return judged;
      const value = valueOf(judged.answer, state.path);
      if (isAmong(value, state.finished, state.path)) return judged;
      if (!isAmong(value, state.running, state.path))
        return failure('response-invalid', 'the state is none that the contract lists', judged.answer.status);
      if (polls >= state.pollsMax) return failure('job-unfinished', 'it was still running at the last look', judged.answer.status);
      await this.pause(state.pollDelayMs, asking.signal);
    }
  }

  /** What comes before the pages is no page: no job is waited for in it, and nothing is unwrapped. */
  askBefore(built: BuiltRequest, asking: Asking): Promise<JudgedPage | ReadFailure> {
    return this.askAgain(built, asking, { ...this.inputs.connect, unwrap: undefined });
  }

  private async askAgain(built: BuiltRequest, asking: AskingForPage, connect: HttpConnect): Promise<JudgedPage | ReadFailure> {
    const { clock } = this.inputs;
    const { retriesMax, delayMsMax } = connect.retries;
    const standing = standingOf(connect, asking.cursor ?? null);
    for (let retries = 0; ; retries += 1) {
      const raw = await this.ask(built, asking);
      const judged = raw.type === 'failure' ? raw : judgeAnswer(raw, connect, standing, clock);
      if (judged.type !== 'failure') return { ...judged, body: raw.type === 'raw' ? raw.body : Buffer.alloc(0) };
      if (judged.status === 401 && retries === 0 && forgetCredential(connect.auth, this.inputs)) continue;
      const waitMs = Math.max(judged.retryAfterMs ?? 0, backoffMs(retries, connect.retries));
      const may = retries < retriesMax && RETRIED.includes(judged.reason) && replays(connect, standing) && waitMs <= delayMsMax;
      if (!may || asking.signal.aborted) return judged;
      await this.pause(waitMs, asking.signal);
    }
  }

  /** @throws CannotAsk */
  async ask(built: BuiltRequest, { bytesMax, signal, isTooOld }: AskingForPage): Promise<RawAnswer | ReadFailure> {
    const { base, dispatcher } = this;
    const { connect, secrets, egress, clock } = this.inputs;
    if (built.url.origin !== base.origin) return failure('continuation-off-origin', 'the request would leave the origin');
    await this.waitForTurn(signal);
    if (isTooOld?.()) return failure('cursor-expired', 'the cursor is older than the source keeps it');
    const credential = await credentialOf(connect.auth, { secrets, egress, clock, dispatcher, connect, signal });
    const url = new URL(built.url.href);
    for (const [name, value] of Object.entries(credential.query)) url.searchParams.set(name, value);
    return exchange({ ...built, url, headers: { ...built.headers, ...credential.headers }, dispatcher, connect, bytesMax, signal });
  }

  private pause(delayMs: number, signal: AbortSignal): Promise<void> {
    return (this.inputs.sleep ?? realSleep)(delayMs, signal);
  }

  private async waitForTurn(signal: AbortSignal): Promise<void> {
    const { connect, rateLimiter = ownLimiter, source } = this.inputs;
    if (connect.rateLimit === undefined) return;
    const { requests, perMs, key = `${this.base.origin} ${source.name}` } = connect.rateLimit;
    while (!signal.aborted) {
      const waitMs = await rateLimiter.take(key, requests, perMs);
      if (waitMs === 0) return;
      await this.pause(waitMs, signal);
    }
  }
}

const standingOf = ({ paging }: HttpConnect, cursor: string | null): Standing =>
  cursor === null ? 'start' : paging.kind === 'cursor' || paging.kind === 'url' ? 'cursor' : 'number';

const replays = ({ paging }: HttpConnect, standing: Standing): boolean =>
  standing !== 'cursor' || ((paging.kind === 'cursor' || paging.kind === 'url') && paging.replay === 'replayable');

const realSleep = async (delayMs: number, signal: AbortSignal): Promise<void> => {
  await delay(delayMs, undefined, { signal }).catch(() => undefined);
};
