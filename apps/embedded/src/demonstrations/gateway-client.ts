/** The few calls that the demonstrations make, as any client would make them. */
export interface Answer {
  readonly partial: boolean;
  readonly questionId: string;
  readonly generation: number;
  readonly state: 'reading' | 'decided';
  readonly verdict: 'match-review' | 'scoped-no-match' | 'evidence-hold' | null;
  readonly statement: string | null;
  readonly reasons: readonly { readonly code: string; readonly source: string | null }[];
  readonly matches: readonly { readonly source: string; readonly recordId: string | null }[];
  readonly owner: string | null;
  readonly receiptId: string | null;
  readonly write: { readonly answer: string; readonly recordId: string | null; readonly reason: string | null } | null;
  readonly caseIds: readonly string[];
  readonly register: string;
  readonly askedAt: string;
}

export interface Ask {
  readonly register: string;
  readonly identifiers: { readonly account: string; readonly reference: string; readonly instance: string };
  readonly payload?: Record<string, unknown>;
  /** Seconds to wait for the answer, 0 to 60. */
  readonly waitSeconds: number;
}

export class GatewayClient {
  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  ask({ register, identifiers, payload, waitSeconds }: Ask): Promise<Answer> {
    const body = {
      register,
      identifiers: Object.entries(identifiers).map(([name, value]) => ({ name, value, provenance: 'person' })),
      ...(payload ? { intent: { kind: 'create', payload } } : {}),
    };
    return this.#call<Answer>('POST', `/v1/questions?wait=${waitSeconds}`, body);
  }

  question(questionId: string, waitSeconds = 0): Promise<Answer> {
    return this.#call<Answer>('GET', `/v1/questions/${questionId}?wait=${waitSeconds}`);
  }

  /** The newest questions first. */
  async questions(limit: number): Promise<readonly Answer[]> {
    const { items } = await this.#call<{ items: Answer[] }>('GET', `/v1/questions?limit=${limit}`);
    return items;
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }
}
