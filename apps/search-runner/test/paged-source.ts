/** A real HTTP server in a source's place, with pages of two, and write-guard's endpoint beside it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Item {
  readonly id: string;
  readonly reference: string;
  readonly status?: string;
}

export interface PagedSource {
  readonly url: string;
  readonly host: string;
  /** By account; unlisted accounts have nothing. */
  readonly items: Map<string, readonly Item[]>;
  /** What write-guard answers of a slot; null: it is not ready. */
  slot: ((keyDigest: string, tenantId: string) => object) | null;
  /** Path and query of each request, in order. */
  readonly asked: string[];
  /** Before a request is answered. */
  gate: (path: string) => Promise<void>;
  close(): Promise<void>;
}

const PAGE = 2;

export async function pagedSource(): Promise<PagedSource> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source: PagedSource = {
    url: `http://${host}`,
    host,
    items: new Map(),
    slot: () => ({}),
    asked: [],
    gate: async () => undefined,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const sent = Buffer.concat(await request.toArray()).toString();
    source.asked.push(path);
    await source.gate(path);
    const body = path === '/internal/own-writes' ? slotsOf(source, sent) : pageOf(source, new URL(path, source.url));
    response.writeHead(body === null ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  return source;
}

function pageOf({ items }: PagedSource, url: URL): object {
  const account = url.searchParams.get('account') ?? '';
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const all = items.get(account) ?? [];
  const page = all.slice(from, from + PAGE).map(({ id, reference, status = 'open' }) => ({ id, reference, status, account, version: '1' }));
  return { items: page, next: from + PAGE < all.length ? String(from + PAGE) : null };
}

function slotsOf({ slot }: PagedSource, sent: string): object | null {
  if (slot === null) return null;
  const { tenantId, keyDigests } = JSON.parse(sent) as { tenantId: string; keyDigests: string[] };
  return {
    slots: keyDigests.map((keyDigest) => ({
      keyDigest,
      state: 'free',
      recordId: null,
      status: null,
      clearAt: null,
      ...slot(keyDigest, tenantId),
    })),
  };
}
