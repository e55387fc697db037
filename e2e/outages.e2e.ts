/** A database or a broker that goes away and comes back: clear answers meanwhile, nothing half-written, and the service goes on by itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCluster, runningCluster } from './cluster/running-cluster.js';

const BACK_WITHIN_MS = 90_000;

describe.skipIf(!process.env['LACUNA_TEST_KAFKA_BROKERS'])('while a part is away', () => {
  let running: RunningCluster;
  let number = 0;

  beforeAll(async () => {
    running = await runningCluster({ sampleRows: 2_000 });
  });
  afterAll(() => running?.stop());

  const ask = (key: string) =>
    fetch(new URL('/v1/questions', running.cluster.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({
        register: 'service-requests',
        identifiers: Object.entries({ account: 'ACC-900002', reference: key, instance: 'eu-1' }).map(([name, value]) => ({ name, value })),
        intent: { kind: 'create', payload: { key } },
      }),
    });

  /** Repeats the same request under its key until it is accepted, and follows it to its write. */
  const askUntilWritten = async (key: string) => {
    const until = Date.now() + BACK_WITHIN_MS;
    for (;;) {
      const response = await ask(key).catch(() => null);
      if (response?.status === 202) {
        const { questionId } = (await response.json()) as { questionId: string };
        const answer = await running.askers[0].question(questionId, 60);
        return { verdict: answer.verdict, write: answer.write?.answer };
      }
      if (Date.now() > until) throw new Error(`not accepted: ${response?.status} ${await response?.text()}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };

  it('the broker: a question is accepted or refused clearly, and is answered once the broker is back', async () => {
    // Fails when an accepted question is lost with its publication, or when a service needs a restart to use the broker again.
    const key = `BROKER-${++number}`;
    await running.kafka.kill9();
    const meanwhile = await ask(key);
    if (meanwhile.status !== 202)
      expect({ status: meanwhile.status, type: meanwhile.headers.get('content-type') }).toMatchObject({ status: 503 });
    await running.kafka.restart();
    expect(await askUntilWritten(key)).toEqual({ verdict: 'scoped-no-match', write: 'created' });
    expect(await askUntilWritten(`BROKER-${++number}`)).toEqual({ verdict: 'scoped-no-match', write: 'created' });
  });

  it('the database: the answer is a problem that says when to come again, and the same request works once it is back', async () => {
    // Fails when the request hangs, leaks internals, or is half-written: the key would then be taken without a question.
    const key = `DATABASE-${++number}`;
    await running.postgres.kill9();
    const meanwhile = await ask(key);
    expect(meanwhile.status).toBe(503);
    expect(meanwhile.headers.get('content-type')).toContain('application/problem+json');
    expect(meanwhile.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(JSON.stringify(await meanwhile.json())).not.toMatch(/password|postgres:\/\//);
    await running.postgres.restart();
    expect(await askUntilWritten(key)).toEqual({ verdict: 'scoped-no-match', write: 'created' });
  });

  it('no process had to be started again', () => {
    // Fails when a short outage ends a service.
    const ended = Object.values(running.cluster.services).filter((service) => service.hasEnded());
    expect(ended.map(({ name }) => name)).toEqual([]);
  });
});
