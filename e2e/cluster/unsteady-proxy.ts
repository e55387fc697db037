/** A TCP proxy that cuts a share of its connections after the first answer: what a source's database looks like on a bad day. */
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface UnsteadyProxy {
  readonly port: number;
  /** From now on this share of new connections is cut. */
  setShare(share: number): void;
  /** Connections that were cut. */
  cut(): number;
  stop(): Promise<void>;
}

/** Bytes from the server before the cut: behind the greeting, before an answer is whole. */
const BYTES_BEFORE_CUT = 600;

export async function startUnsteadyProxy(target: { readonly host: string; readonly port: number }, seed: number): Promise<UnsteadyProxy> {
  let share = 0;
  let cut = 0;
  let state = seed;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target);
    const doomed = draw() < share;
    let bytes = 0;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.on('data', (chunk) => {
      bytes += chunk.byteLength;
      if (!doomed || bytes < BYTES_BEFORE_CUT) return void client.write(chunk);
      cut += 1;
      client.resetAndDestroy();
    });
    client.on('data', (chunk) => void upstream.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    setShare: (next) => void (share = next),
    cut: () => cut,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
