/** A TCP proxy that cuts a share of the reads in the middle: what a source's database looks like on a bad day. */
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface UnsteadyProxy {
  readonly port: number;
  /** From now on the connection is cut in this share of the reads. */
  setShare(share: number): void;
  /** Reads that were cut. */
  cut(): number;
  stop(): Promise<void>;
}

/** Every read is one transaction; this begins it. */
const READ_BEGINS = 'begin isolation level repeatable read';
/** Answers from the server before the cut: the transaction has begun, what it reads is not there yet. */
const ANSWERS_BEFORE_CUT = 1;

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
    let answersLeft = Infinity;
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
      answersLeft -= 1;
      if (answersLeft >= 0) return void client.write(chunk);
      cut += 1;
      client.resetAndDestroy();
    });
    client.on('data', (chunk) => {
      if (chunk.includes(READ_BEGINS)) answersLeft = draw() < share ? ANSWERS_BEFORE_CUT : Infinity;
      upstream.write(chunk);
    });
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
