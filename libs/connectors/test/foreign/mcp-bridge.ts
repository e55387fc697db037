/** An MCP server of somebody else, which talks over its standard input and output, made to answer HTTP. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number;
  readonly [name: string]: unknown;
}

export class McpBridge {
  private readonly child: ChildProcess;
  private readonly server: Server;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private lastId = 1_000;

  constructor(program: string, environment: Readonly<Record<string, string>> = {}) {
    this.child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...environment } });
    if (!this.child.stdout) throw new Error('the server has no output');
    createInterface({ input: this.child.stdout }).on('line', (line) => this.heard(line));
    this.server = createServer((request, response) => {
      void this.forwarded(request).then((answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(answer));
    });
  }

  async start(): Promise<void> {
    await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'lacuna', version: '1' } });
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async ask(method: string, params: unknown): Promise<Message> {
    this.lastId += 1;
    return this.send({ jsonrpc: '2.0', id: this.lastId, method, params });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    const ended = once(this.child, 'close');
    this.child.kill();
    await ended;
  }

  private async forwarded(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    return JSON.stringify(await this.send(JSON.parse(Buffer.concat(chunks).toString()) as Message));
  }

  private send(message: Message): Promise<Message> {
    return new Promise((resolve) => {
      this.waiting.set(message.id ?? 0, resolve);
      this.child.stdin?.write(`${JSON.stringify(message)}\n`);
    });
  }

  private heard(line: string): void {
    const message = JSON.parse(line) as Message;
    if (message.id !== undefined && !('method' in message)) this.waiting.get(message.id)?.(message);
  }
}
