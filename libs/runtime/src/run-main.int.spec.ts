import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freshDatabase, type FreshDatabase } from '@lacuna/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const fixture = fileURLToPath(new URL('../test/main-fixture.mjs', import.meta.url));

/** Needs the packages built: that Node itself can load them is a part of what is shown. */
describe('a service as a process', () => {
  let fresh: FreshDatabase;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(() => fresh.drop());
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  function run(env: Record<string, string>) {
    const child = spawn(process.execPath, [fixture], { env: { PATH: process.env.PATH, LACUNA_DATABASE_URL: fresh.url, ...env } });
    children.push(child);
    const output = { out: '', err: '' };
    child.stdout.on('data', (text) => (output.out += String(text)));
    child.stderr.on('data', (text) => (output.err += String(text)));
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    const url = async () => {
      for (const endsAt = Date.now() + 30_000; Date.now() < endsAt; await new Promise((resolve) => setTimeout(resolve, 20))) {
        const found = /"url":"(http:[^"]+)"/.exec(output.out)?.[1];
        if (found) return found;
      }
      throw new Error(`it did not start: ${output.out} ${output.err}`);
    };
    return { child, output, exited, url };
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('answers, and ends with 0 at %s; fails when an orchestrator has to kill it', async (signal) => {
    const service = run({});
    const url = await service.url();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('process_cpu_seconds_total');
    service.child.kill(signal);
    expect(await service.exited).toEqual([0, null]);
    expect(service.output.err).toBe('');
  });

  it.each([
    [
      { LACUNA_DATABASE_URL: 'postgres://127.0.0.1:1/d' },
      'lacuna notifier: PostgreSQL at 127.0.0.1:1 does not answer: start it or set LACUNA_DATABASE_URL\n',
    ],
    [{ LACUNA_HTTP_PORT: 'eighty' }, 'lacuna notifier: LACUNA_HTTP_PORT must be a whole number from 0 to 65535\n'],
  ])('with %o says one line and ends with 1; fails when an operator has to read a stack', async (env, line) => {
    const service = run(env);
    expect(await service.exited).toEqual([1, null]);
    expect(service.output.err).toBe(line);
  });

  it('with a Kafka that does not answer says one line and ends with 1', async () => {
    const service = run({ LACUNA_LOG: 'kafka', LACUNA_KAFKA_BROKERS: '127.0.0.1:1' });
    expect(await service.exited).toEqual([1, null]);
    expect(service.output.err).toMatch(
      /^lacuna notifier: Kafka at 127\.0\.0\.1:1 does not answer: start it or set LACUNA_KAFKA_BROKERS.*\n$/,
    );
  });

  it('ends at once at a second signal; fails when a hanging stop cannot be cut short', async () => {
    const database = createServer(() => undefined);
    await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
    const { port } = database.address() as AddressInfo;
    const connected = once(database, 'connection');
    const service = run({ LACUNA_DATABASE_URL: `postgres://lacuna@127.0.0.1:${port}/lacuna` });
    await connected;
    service.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    service.child.kill('SIGTERM');
    expect(await service.exited).toEqual([130, null]);
    database.close();
  });
});
