/**
 * Reads write-guard's slots over its endpoint. Lookups of searches that run side by side are gathered for a few milliseconds
 * into one request.
 */
import type { ReadFailure } from '@lacuna/connectors';
import { type SlotAnswer, slotsIn } from './slot-answer.js';

export interface SlotLookup {
  readonly tenantId: string;
  readonly target: string;
  /** SHA-256 of the canonical JSON of the register's key policy. */
  readonly keyPolicy: string;
  readonly keyDigest: string;
}

/** The answer for one lookup, with the times and bytes of the request that brought it. */
export type SlotReading =
  | { readonly ok: true; readonly slot: SlotAnswer; readonly startedAt: string; readonly endedAt: string; readonly body: Buffer }
  | SlotFailure;

export interface SlotFailure {
  readonly ok: false;
  readonly reason: ReadFailure['reason'];
  /** HTTP status; null where there was none. */
  readonly status: number | null;
  readonly detail: string;
}

export interface OwnWritesClientInput {
  /** Where write-guard answers; null: not configured. */
  readonly url: string | null;
  readonly serviceToken: string | null;
  readonly now: () => Date;
  readonly requestMsMax?: number;
}

interface Waiting {
  readonly lookup: SlotLookup;
  readonly resolve: (reading: SlotReading) => void;
}

type Answer = { readonly ok: true; readonly slots: ReadonlyMap<string, SlotAnswer>; readonly body: Buffer } | SlotFailure;

const GATHER_MS = 2;
/** As many as write-guard takes in one request. */
const LOOKUPS_MAX = 500;
const REQUEST_MS_MAX = 5_000;

export class OwnWritesClient {
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly input: OwnWritesClientInput) {}

  /** Never rejects. */
  read(lookup: SlotLookup): Promise<SlotReading> {
    return new Promise((resolve) => {
      this.#waiting.push({ lookup, resolve });
      if (this.#waiting.length >= LOOKUPS_MAX) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
    });
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const groups = new Map<string, Waiting[]>();
    for (const waiting of this.#waiting.splice(0)) {
      const key = JSON.stringify([waiting.lookup.tenantId, waiting.lookup.target, waiting.lookup.keyPolicy]);
      const group = groups.get(key);
      if (group) group.push(waiting);
      else groups.set(key, [waiting]);
    }
    for (const group of groups.values()) void this.#ask(group);
  }

  async #ask(group: readonly Waiting[]): Promise<void> {
    const { now, requestMsMax = REQUEST_MS_MAX } = this.input;
    const startedAt = now().toISOString();
    const lookups = group.map(({ lookup }) => lookup);
    const answer = await this.#request(lookups).catch((error: unknown) => failureOf(error, requestMsMax));
    const endedAt = now().toISOString();
    for (const { lookup, resolve } of group) {
      const slot = answer.ok ? answer.slots.get(lookup.keyDigest) : undefined;
      if (!answer.ok) resolve(answer);
      else if (slot) resolve({ ok: true, slot, startedAt, endedAt, body: answer.body });
      else resolve(failed('response-invalid', 200, 'write-guard left out a slot that was asked for'));
    }
  }

  async #request(lookups: readonly SlotLookup[]): Promise<Answer> {
    const { url, serviceToken, requestMsMax = REQUEST_MS_MAX } = this.input;
    if (url === null) return failed('source-unavailable', null, 'LACUNA_WRITE_GUARD_URL is not set');
    const { tenantId, target, keyPolicy } = lookups[0] as SlotLookup;
    const response = await fetch(new URL('/internal/own-writes', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${serviceToken ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tenantId, target, keyPolicy, keyDigests: [...new Set(lookups.map((lookup) => lookup.keyDigest))] }),
      redirect: 'error',
      signal: AbortSignal.timeout(requestMsMax),
    });
    const { status } = response;
    const body = Buffer.from(await response.arrayBuffer());
    if (status === 401 || status === 403) return failed('source-forbidden', status, `write-guard answered ${status}`);
    if (status === 409) return failed('predicate-narrower', status, 'the slots are kept under another key policy');
    if (status !== 200) return failed('source-unavailable', status, `write-guard answered ${status}`);
    const slots = slotsIn(body.toString('utf8'));
    return slots ? { ok: true, slots, body } : failed('response-invalid', status, 'write-guard answered something else than slots');
  }
}

const failed = (reason: SlotFailure['reason'], status: number | null, detail: string): SlotFailure => ({
  ok: false,
  reason,
  status,
  detail,
});

function failureOf(error: unknown, requestMsMax: number): SlotFailure {
  if (error instanceof Error && error.name === 'TimeoutError')
    return failed('timed-out', null, `write-guard gave no answer within ${requestMsMax} ms`);
  return failed('source-unavailable', null, 'write-guard cannot be reached');
}
