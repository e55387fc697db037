import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedSource {
  readonly url: string;
  readonly host: string;
  /** Path and query of each request, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A real HTTP server whose answers a spec writes. */
export const scriptedSource = async (
  answer: (url: URL, response: ServerResponse, request: IncomingMessage) => void,
): Promise<ScriptedSource> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(new URL(request.url ?? '', 'http://source'), response, request);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

export interface Item {
  readonly id: string;
  readonly version: number;
  readonly account: string;
  readonly reference: string | null;
  readonly instance: string | null;
  readonly status: string;
  readonly merged_into: string | null;
}

export const anItem = (number: number, more: Partial<Item> = {}): Item => ({
  id: `SR-${String(number).padStart(7, '0')}`,
  version: 1,
  account: 'ACC-000001',
  reference: `INV-2024-${String(number).padStart(5, '0')}`,
  instance: 'EU-1',
  status: 'open',
  merged_into: null,
  ...more,
});
