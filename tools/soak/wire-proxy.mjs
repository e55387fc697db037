import { connect, createServer } from 'node:net';

/**
 * A TCP proxy on 127.0.0.1 whose wire can be made bad: what lies between a service and its database on a bad day.
 * @typedef {object} WireProxy
 * @property {number} port
 * @property {() => number} resetAll resets every connection; how many there were
 * @property {(delayMs: number) => void} delay every chunk in both directions from now on; 0: none
 * @property {() => Promise<void>} stop
 */

/** @param {{ host: string, port: number }} target @returns {Promise<WireProxy>} */
export async function startWireProxy(target) {
  /** @type {Set<import('node:net').Socket>} */
  const clients = new Set();
  let delayMs = 0;
  const server = createServer((client) => {
    const upstream = connect(target);
    clients.add(client);
    pipe(client, upstream);
    pipe(upstream, client);
    client.on('close', () => clients.delete(client));
  });

  /** In order, whatever the delay: a chunk waits for the one before it. @param {import('node:net').Socket} from @param {import('node:net').Socket} to */
  function pipe(from, to) {
    let last = Promise.resolve();
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
    from.on('data', (chunk) => {
      const waitMs = delayMs;
      last = last
        .then(() => (waitMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, waitMs))))
        .then(() => void (to.destroyed || to.write(chunk)));
    });
  }

  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  return {
    port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
    resetAll: () => {
      const count = clients.size;
      for (const client of clients) client.resetAndDestroy();
      return count;
    },
    delay: (ms) => void (delayMs = ms),
    stop: () =>
      new Promise((stopped) => {
        for (const client of clients) client.destroy();
        server.close(() => stopped());
      }),
  };
}
