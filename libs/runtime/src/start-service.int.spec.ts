import { encodeEvent, events, topics } from '@lacuna/events';
import type { EventLog } from '@lacuna/messaging';
import { aMissRecorded, freshDatabase, type FreshDatabase } from '@lacuna/testing';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Noting, notingService } from '../test/noting-service.js';
import { SwitchableProxy } from '../test/switchable-proxy.js';
import { loadConfig, type ServiceConfig } from './service-config.js';
import type { RunningService } from './service-definition.js';
import { serviceLogger } from './service-logger.js';
import { startService } from './start-service.js';
import { EVENT_LOG } from './tokens.js';

const TOKEN = 'a-token-of-enough-length';

describe('a started service', () => {
  let fresh: FreshDatabase;
  let proxy: SwitchableProxy;
  let config: ServiceConfig;
  let running: RunningService;

  beforeEach(async () => {
    fresh = await freshDatabase();
    const url = new URL(fresh.url);
    proxy = await SwitchableProxy.before(url.hostname, Number(url.port));
    url.port = String(proxy.port);
    config = loadConfig('notifier', { LACUNA_DATABASE_URL: url.href, LACUNA_LOG_LEVEL: 'silent', LACUNA_SERVICE_TOKEN: TOKEN });
    running = await startService(notingService, config);
  });
  afterEach(async () => {
    proxy.on();
    await running.stop();
    await proxy.close();
    await fresh.drop();
  });

  const get = async (path: string) => {
    const response = await fetch(`${running.url}${path}`);
    return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> };
  };
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${running.url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const log = () => running.app.get<EventLog>(EVENT_LOG);
  const miss = (questionId: string, misses = 1) =>
    encodeEvent(events.missRecorded, aMissRecorded({ tenantId: 'acme', questionId, misses }), 'search-runner');
  const until = async (isSo: () => Promise<boolean>, elapsedMsMax = 20_000) => {
    for (const endsAt = Date.now() + elapsedMsMax; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 25)))
      if (Date.now() > endsAt) throw new Error('not in time');
  };
  const rowCount = async () => ((await get('/noting/rows')).body as unknown as unknown[]).length;
  const reruns = async () => {
    const all = [...(await log().ends(topics.questions)).keys()].map((partition) =>
      log().read({ topic: topics.questions, partition }, 0n, 100),
    );
    return (await Promise.all(all)).flat();
  };

  it('handles events in its tables, publishes what they give rise to, and shows it in its metrics', async () => {
    await log().publish([miss('q-1'), miss('q-2'), miss('q-1', 2)]);
    await until(async () => (await reruns()).length === 3);
    expect((await get('/noting/rows')).body).toHaveLength(3);
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    expect(metrics).toMatch(/lacuna_events_handled_total\{topic="lacuna\.searches\.v1",service="notifier"\} 3/);
    expect(metrics).toMatch(/lacuna_consumer_running\{service="notifier"\} 1/);
  });

  it('repeats a handler that met a deadlock and keeps nothing of the failed tries; fails when the error loses its code on its way', async () => {
    running.app.get(Noting).failuresLeft = 6;
    await log().publish([miss('q-1')]);
    await until(async () => (await reruns()).length > 0);
    expect(running.app.get(Noting).calls).toBe(7);
    expect(await rowCount()).toBe(1);
    expect(await reruns()).toHaveLength(1);
  });

  it('is alive and not ready while its database is away, answers 503, and goes on where it was; fails when traffic goes to a dead service', async () => {
    expect((await get('/readyz')).status).toBe(200);
    proxy.off();
    await until(async () => (await get('/readyz')).status === 503);
    const unready = await get('/readyz');
    expect(unready.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(unready.headers.get('retry-after')).toBe('2');
    expect(unready.body).toMatchObject({ type: 'urn:lacuna:problem:not-ready', status: 503, instance: '/readyz' });
    expect(unready.body.errors).toMatchObject([{ parameter: 'database' }, { parameter: 'log' }]);
    expect((await get('/healthz')).status).toBe(200);
    expect(await get('/noting/rows')).toMatchObject({ status: 503, body: { type: 'urn:lacuna:problem:unavailable' } });
    proxy.on();
    await until(async () => (await get('/readyz')).status === 200);
    await log().publish([miss('q-9')]);
    await until(async () => (await rowCount()) === 1, 40_000);
  });

  // Fails if a service whose consumer has ended goes on looking ready: traffic would wait for answers that never come.
  it('is alive and not ready once its consumer has ended, and says that it is the consumer', async () => {
    await log().publish([miss('q-1')]);
    await until(async () => (await rowCount()) === 1);
    const admin = new Client({ connectionString: fresh.adminUrl });
    await admin.connect();
    await admin.query('update notifier.position set next_offset = 1000000');
    await admin.end();
    await until(async () => (await get('/readyz')).status === 503);
    expect((await get('/readyz')).body.errors).toMatchObject([{ parameter: 'consumer' }]);
    expect((await get('/healthz')).status).toBe(200);
    expect(await (await fetch(`${running.url}/metrics`)).text()).toMatch(/lacuna_consumer_running\{service="notifier"\} 0/);
  });

  it('initialises its modules once; fails when a worker of theirs is started twice', () => {
    expect(running.app.get(Noting).initialised).toBe(1);
  });

  it('publishes what a request recorded, for who has the service token', async () => {
    expect(await post('/noting/reruns', '{"questionId":"q-7"}')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await post('/noting/reruns', '{"questionId":"q-7"}', { authorization: `Bearer ${TOKEN}` })).toMatchObject({ status: 201 });
    expect((await reruns()).map((message) => String(message.key))).toEqual(['acme:q-7']);
  });

  it.each([
    ['an unknown path', () => get('/nothing'), 404, 'not-found'],
    ['another method', () => get('/noting/reruns'), 405, 'method-not-allowed'],
    ['a body that is not JSON', () => post('/noting/reruns', '{"a":'), 400, 'bad-request'],
    ['a body of 257 KiB', () => post('/noting/reruns', JSON.stringify('x'.repeat(263_168))), 413, 'payload-too-large'],
    [
      'a charset that nobody reads',
      () => post('/noting/reruns', '{}', { 'content-type': 'application/json; charset=klingon' }),
      415,
      'unsupported-media-type',
    ],
    ['a bug of ours', () => get('/noting/bug'), 500, 'internal'],
  ])(
    'tells %s as a problem without internals; fails when a client gets HTML, a stack or another shape',
    async (_what, ask, status, code) => {
      const { body, status: told } = await ask();
      expect(told).toBe(status);
      expect(body).toMatchObject({ type: `urn:lacuna:problem:${code}`, status });
      expect(body.title).toEqual(expect.any(String));
      expect(JSON.stringify(body)).not.toMatch(/secret internals|node_modules|at .*\.ts/);
    },
  );

  it('frees its port, its connections and its consumer when it stops, and can be started again', async () => {
    await running.stop();
    await expect(fetch(`${running.url}/healthz`)).rejects.toThrow();
    running = await startService(notingService, config);
    await log().publish([miss('q-3')]);
    await until(async () => (await rowCount()) === 1);
  });
});

describe('services in one process', () => {
  it("log their requests under their own names, and nothing under another's; fails when a logger is shared by the process", async () => {
    const fresh = await freshDatabase();
    const lines: { service?: string; msg: string; req?: { path: string } }[] = [];
    const started = await Promise.all(
      (['notifier', 'verdict'] as const).map(async (name) => {
        const logger = serviceLogger(
          { service: name, logLevel: 'debug', runId: null },
          { write: (line) => void lines.push(JSON.parse(line)) },
        );
        const config = loadConfig(name, { LACUNA_DATABASE_URL: fresh.url });
        return startService({ ...notingService, name, schema: name }, config, { logger });
      }),
    );
    for (const [at, running] of started.entries()) await (await fetch(`${running.url}/noting/rows?service=${at}`)).text();
    for (const running of started) await running.stop();
    const requests = lines.filter(({ req }) => req?.path === '/noting/rows');
    expect(requests.map(({ service }) => service)).toEqual(['notifier', 'verdict']);
    expect(lines.map(({ msg }) => msg).join('; ')).not.toMatch(/Cannot apply global|Nest/);
    await fresh.drop();
  });
});

describe('a service that cannot start', () => {
  const config = (env: Record<string, string>) => loadConfig('notifier', { LACUNA_LOG_LEVEL: 'silent', ...env });

  it('says which database does not answer, in one line', async () => {
    const starting = startService(notingService, config({ LACUNA_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' }));
    await expect(starting).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:1 does not answer: start it or set LACUNA_DATABASE_URL$/);
  });

  it.skipIf(!process.env.LACUNA_TEST_KAFKA_BROKERS)(
    'names the topics that Kafka lacks and makes none; fails when a misspelt cluster gets topics',
    async () => {
      const fresh = await freshDatabase();
      const env = {
        LACUNA_DATABASE_URL: fresh.url,
        LACUNA_LOG: 'kafka',
        LACUNA_KAFKA_BROKERS: process.env.LACUNA_TEST_KAFKA_BROKERS ?? '',
      };
      const misspelt = { ...notingService, name: 'notifier-of-nobody' as 'notifier' };
      await expect(startService(misspelt, config(env))).rejects.toThrow(
        /^Kafka has no topic .*notifier-of-nobody\.dlq.*: make them with "lacuna topics apply"$/,
      );
      await fresh.drop();
    },
  );

  it('says which port is taken', async () => {
    const fresh = await freshDatabase();
    const first = await startService(notingService, config({ LACUNA_DATABASE_URL: fresh.url }));
    const port = new URL(first.url).port;
    const second = startService(notingService, config({ LACUNA_DATABASE_URL: fresh.url, LACUNA_HTTP_PORT: port }));
    await expect(second).rejects.toThrow(`127.0.0.1:${port} is in use: set LACUNA_HTTP_PORT to a free port, or 0`);
    await first.stop();
    await fresh.drop();
  });
});
