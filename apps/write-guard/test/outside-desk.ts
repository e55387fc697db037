/** An outside system over HTTP, with a record of what it did, and switches for what its answers say of it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DeskRequest {
  readonly key: string;
  readonly payload: string;
}

/** What becomes of one request: whether it is carried out, and what is answered. `hang`: nothing is, until the client gives up. */
export type DeskAnswer = (request: DeskRequest) => {
  readonly carriesOut: boolean;
  readonly status: number | 'hang' | 'reset';
  readonly body?: object;
};

const creates: DeskAnswer = () => ({ carriesOut: true, status: 201 });

export class OutsideDesk {
  readonly requests: DeskRequest[] = [];
  /** Ids of its tickets, by idempotency key where the feature is on. */
  readonly tickets: string[] = [];
  readonly #byKey = new Map<string, { readonly id: string; readonly payload: string }>();
  readonly #server = createServer((request, response) => void this.#take(request, response));
  #answers: DeskAnswer[] = [];

  private constructor(private readonly isIdempotent: boolean) {}

  static async open({ isIdempotent = true }: { readonly isIdempotent?: boolean } = {}): Promise<OutsideDesk> {
    const desk = new OutsideDesk(isIdempotent);
    await new Promise<void>((ready) => desk.#server.listen(0, '127.0.0.1', ready));
    return desk;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** One for each request; then it creates. */
  answersWith(...answers: readonly DeskAnswer[]): void {
    this.#answers = [...answers];
    this.requests.length = 0;
    this.tickets.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const taken = { key: String(request.headers['idempotency-key']), payload: Buffer.concat(chunks).toString('utf8') };
    this.requests.push(taken);
    const { carriesOut, status, body } = (this.#answers.shift() ?? creates)(taken);
    const known = this.isIdempotent ? this.#byKey.get(taken.key) : undefined;
    const isOther = known !== undefined && known.payload !== taken.payload;
    const id = known?.id ?? (carriesOut ? this.#create(taken) : null);
    if (status === 'hang') return;
    if (status === 'reset') return void response.socket?.resetAndDestroy();
    if (isOther) return void response.writeHead(422).end('{"code":"key_reused"}');
    response.writeHead(status).end(JSON.stringify(body ?? (status === 201 ? { id } : {})));
  }

  #create({ key, payload }: DeskRequest): string {
    const id = `T-${this.tickets.length + 1}`;
    this.tickets.push(id);
    this.#byKey.set(key, { id, payload });
    return id;
  }
}
