/** A TCP proxy that can be cut: the server behind it "stops" for its clients only. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class SwitchableProxy {
  readonly #sockets = new Set<Socket>();
  #isOn = true;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async before(host: string, port: number): Promise<SwitchableProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new SwitchableProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.#join(client, host, port));
    return proxy;
  }

  off(): void {
    this.#isOn = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  on(): void {
    this.#isOn = true;
  }

  async close(): Promise<void> {
    this.off();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #join(client: Socket, host: string, port: number): void {
    if (!this.#isOn) return void client.destroy();
    const upstream = connect(port, host);
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  }
}
