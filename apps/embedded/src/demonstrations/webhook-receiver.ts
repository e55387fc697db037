/** A receiver of webhooks on this machine, which believes only what is signed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface WebhookReceiver {
  readonly url: string;
  /** True once that case's webhook arrived with a good signature; false when it did not within 30 s. */
  readonly webhookFor: (caseId: string) => Promise<boolean>;
  stop(): Promise<void>;
}

const WAIT_MS_MAX = 30_000;
const BODY_BYTES_MAX = 1_048_576;

export async function startWebhookReceiver(secret: string): Promise<WebhookReceiver> {
  const webhook = new Webhook(secret);
  const received = new Set<string>();
  const listeners = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > BODY_BYTES_MAX) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      try {
        const body = webhook.verify(Buffer.concat(chunks), request.headers as Record<string, string>) as { data: { caseId: string } };
        received.add(body.data.caseId);
        response.writeHead(204).end();
        for (const listener of listeners) listener();
      } catch {
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    webhookFor: (caseId) => arrival(caseId, received, listeners),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function arrival(caseId: string, received: ReadonlySet<string>, listeners: Set<() => void>): Promise<boolean> {
  if (received.has(caseId)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (arrived: boolean) => {
      clearTimeout(timer);
      listeners.delete(look);
      resolve(arrived);
    };
    const look = () => received.has(caseId) && done(true);
    const timer = setTimeout(() => done(false), WAIT_MS_MAX);
    listeners.add(look);
  });
}
