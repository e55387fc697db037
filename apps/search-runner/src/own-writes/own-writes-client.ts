/**
 * Reads write-guard's slots over its endpoint. Lookups of searches that run side by side are gathered for a few milliseconds
 * into one request.
 */
export interface SlotAnswer {
  readonly keyDigest: string;
  /** `free`: no slot. */
  readonly state: 'free' | 'settled' | 'in-flight' | 'unknown';
  readonly recordId: string | null;
  readonly status: string | null;
}

export interface SlotLookup {
  readonly tenantId: string;
  readonly target: string;
  readonly keyDigest: string;
}

/** The answer for one lookup, with the times and bytes of the request that brought it. */
export type SlotReading =
  | { readonly ok: true; readonly slot: SlotAnswer; readonly startedAt: string; readonly endedAt: string; readonly body: Buffer }
  | { readonly ok: false; readonly reason: 'source-unavailable' | 'source-forbidden' | 'timed-out' | 'response-invalid'; readonly detail: string };

interface Waiting {
  readonly lookup: SlotLookup;
  readonly resolve: (reading: SlotReading) => void;
}

const GATHER_MS = 2;
const LOOKUPS_MAX = 500;
const REQUEST_MS_MAX = 5_000;

export class OwnWritesClient {
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly url: string,
    private readonly serviceToken: string,
    private readonly now: () => Date,
  ) {}

  read(lookup: SlotLookup): Promise<SlotReading> {
    return new Promise((resolve) => {
      this.#waiting.push({ lookup, resolve });
      if (this.#waiting.length >= LOOKUPS_MAX) void this.#flush();
      else this.#timer ??= setTimeout(() => void this.#flush(), GATHER_MS);
    });
  }

  async #flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#waiting;
    this.#waiting = [];
    const groups = new Map<string, Waiting[]>();
    for (const waiting of batch) {
      const key = JSON.stringify([waiting.lookup.tenantId, waiting.lookup.target]);
      groups.set(key, [...(groups.get(key) ?? []), waiting]);
    }
    await Promise.all([...groups.values()].map((group) => this.#ask(group)));
  }

  async #ask(group: readonly Waiting[]): Promise<void> {
    const startedAt = this.now().toISOString();
    const outcome = await this.#request(group.map(({ lookup }) => lookup)).catch(failureOf);
    const endedAt = this.now().toISOString();
    for (const { lookup, resolve } of group) {
      if (!('slots' in outcome)) resolve(outcome);
      else {
        const slot = outcome.slots.get(lookup.keyDigest);
        resolve(
          slot
            ? { ok: true, slot, startedAt, endedAt, body: outcome.body }
            : { ok: false, reason: 'response-invalid', detail: 'write-guard left out a slot that was asked for' },
        );
      }
    }
  }

  async #request(lookups: readonly SlotLookup[]): Promise<{ slots: Map<string, SlotAnswer>; body: Buffer } | (SlotReading & { ok: false })> {
    const { tenantId, target } = lookups[0] as SlotLookup;
    const response = await fetch(new URL('/internal/own-writes', this.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.serviceToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tenantId, target, keyDigests: [...new Set(lookups.map((lookup) => lookup.keyDigest))] }),
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status === 401 || response.status === 403) return failed('source-forbidden', `write-guard answered ${response.status}`);
    if (!response.ok) return failed('source-unavailable', `write-guard answered ${response.status}`);
    const { slots } = JSON.parse(body.toString('utf8')) as { slots: SlotAnswer[] };
    if (!Array.isArray(slots)) return failed('response-invalid', 'write-guard answered without slots');
    return { slots: new Map(slots.map((slot) => [slot.keyDigest, slot])), body };
  }
}

const failed = (reason: (SlotReading & { ok: false })['reason'], detail: string): SlotReading & { ok: false } => ({ ok: false, reason, detail });

function failureOf(error: unknown): SlotReading & { ok: false } {
  if (error instanceof SyntaxError) return failed('response-invalid', 'write-guard answered something that is not JSON');
  if (error instanceof Error && error.name === 'TimeoutError') return failed('timed-out', `write-guard gave no answer within ${REQUEST_MS_MAX} ms`);
  return failed('source-unavailable', 'write-guard cannot be reached');
}
