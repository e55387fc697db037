import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { get } from 'node:http';
import { LOG_SCHEMA, openDatabase, PostgresEventLog } from '@lacuna/postgres';
import { SimulatedCrash, type EventLog } from '@lacuna/messaging';
import { expect, it, vi } from 'vitest';
import { WaitingRoom } from '../src/questions/waiting-room.js';
import { aQuestion, startGateway, topics } from './running-gateway.js';

const patience = { timeout: 20_000, interval: 100 };

it('with the database away a request is a 503 problem, and nothing is half-written; back again, it is used', async () => {
  const gate = await aGate();
  const gateway = await startGateway({ through: gate.through });
  try {
    const key = await gateway.keyOf('t1');
    const ask = () => gateway.api.post('/v1/questions').set(key).set('Idempotency-Key', 'k').send(aQuestion());
    gate.close();
    const away = await ask();
    expect(away.status).toBe(503);
    expect(away.headers['content-type']).toContain('application/problem+json');
    expect(Number(away.headers['retry-after'])).toBeGreaterThan(0);
    gate.open();
    await vi.waitFor(async () => expect((await ask()).status).toBe(202), patience);
    expect(await gateway.published(topics.questions)).toHaveLength(1);
  } finally {
    gate.open();
    await gateway.stop();
    await gate.stop();
  }
});

it('with the log away a question is taken, and published when the log is back; fails when an answered 202 is lost', async () => {
  const log = { away: false };
  const gateway = await startGateway({ overrides: (url) => anOutsideLog(url, () => log.away && new Error('the broker is away')) });
  try {
    const key = await gateway.keyOf('t1');
    log.away = true;
    const { body } = await gateway.api.post('/v1/questions').set(key).send(aQuestion()).expect(202);
    expect(await gateway.published(topics.questions)).toEqual([]);
    log.away = false;
    await vi.waitFor(async () => expect(await gateway.published(topics.questions)).toHaveLength(1), patience);
    expect((await gateway.published(topics.questions))[0]?.data).toMatchObject({ questionId: body.questionId });
  } finally {
    await gateway.stop();
  }
});

it('a process that dies between commit and publication has asked all the same; fails when the sweeper finds nothing', async () => {
  const crash = { now: false };
  const gateway = await startGateway({ overrides: (url) => anOutsideLog(url, () => crash.now && new SimulatedCrash('before-publish')) });
  try {
    const key = await gateway.keyOf('t1');
    const ask = () => gateway.api.post('/v1/questions').set(key).set('Idempotency-Key', 'k').send(aQuestion());
    crash.now = true;
    await ask().expect(500);
    expect(await gateway.published(topics.questions)).toEqual([]);
    crash.now = false;
    await vi.waitFor(async () => expect(await gateway.published(topics.questions)).toHaveLength(1), patience);
    const again = await ask().expect(202);
    const [asked] = await gateway.published(topics.questions);
    expect(asked?.data).toMatchObject({ questionId: again.body.questionId });
  } finally {
    await gateway.stop();
  }
});

it('a caller that hangs up is waited for no longer; fails when abandoned waits pile up', async () => {
  const gateway = await startGateway();
  try {
    const key = await gateway.keyOf('t1');
    const { body } = await gateway.api.post('/v1/questions').set(key).send(aQuestion()).expect(202);
    const room = gateway.app.get(WaitingRoom);
    const waiting = get(`${gateway.url}/v1/questions/${body.questionId}?wait=60`, { headers: key });
    waiting.on('error', () => undefined);
    await vi.waitFor(() => expect(room.size).toBe(1), patience);
    waiting.destroy();
    await vi.waitFor(() => expect(room.size).toBe(0), patience);
  } finally {
    await gateway.stop();
  }
});

/** The Postgres log as if it were elsewhere: nothing is appended in a service's transaction, so the outbox is used. */
async function anOutsideLog(url: string, failure: () => Error | false) {
  const database = await openDatabase({ url, schema: LOG_SCHEMA, applicationName: 'test outside log' });
  const inside = new PostgresEventLog(database);
  const log: EventLog = {
    technology: 'postgres',
    appendIn: null,
    start: () => inside.start(),
    publish: async (messages) => {
      const failed = failure();
      if (failed) throw failed;
      await inside.publish(messages);
    },
    consume: (options) => inside.consume(options),
    ensureTopics: (settings) => inside.ensureTopics(settings),
    ends: (topic) => inside.ends(topic),
    offsetsSince: (topic, since) => inside.offsetsSince(topic, since),
    read: (at, from, max) => inside.read(at, from, max),
    ping: () => inside.ping(),
    stop: () => inside.stop(),
  };
  return { overrides: { log }, close: () => inside.stop().then(() => database.close()) };
}

/** A way to the database that can be shut: connections break and new ones are refused. */
async function aGate() {
  const sockets = new Set<Socket>();
  const state = { isOpen: true, target: { host: '', port: 0 } };
  const server = createServer((near) => {
    if (!state.isOpen) return void near.destroy();
    const far = connect(state.target);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    state.isOpen = false;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    through: (url: string) => {
      const changed = new URL(url);
      state.target = { host: changed.hostname, port: Number(changed.port) };
      changed.hostname = '127.0.0.1';
      changed.port = String((server.address() as AddressInfo).port);
      return changed.toString();
    },
    close,
    open: () => {
      state.isOpen = true;
    },
    stop: async () => {
      close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
