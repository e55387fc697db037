/** One signed webhook per case, against a real HTTP server, verified with the standardwebhooks library. */
import { type CaseOpened, events } from '@lacuna/events';
import { JobWorker } from '@lacuna/messaging';
import { PostgresJobQueue } from '@lacuna/postgres';
import { systemClock } from '@lacuna/runtime';
import { aCaseOpened, aMatchReview, freshServiceDatabase } from '@lacuna/testing';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotifierTables1764547200000 } from '../src/migrations/1764547200000-notifier-tables.js';
import { DeliverWebhook } from '../src/webhooks/deliver-webhook.js';
import { WebhookSender } from '../src/webhooks/send-webhook.js';
import { queueWebhooks, webhookQueue } from '../src/webhooks/webhook-jobs.js';
import { NotifierBench, told, until } from './running-notifier.js';

const SECRET = `whsec_${Buffer.from('a webhook secret of these tests').toString('base64')}`;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers these statuses in turn, then 204. */
class Receiver {
  readonly received: Received[] = [];
  readonly #server: Server;
  statuses: number[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
        response.writeHead(this.statuses.shift() ?? 204, { location: '/elsewhere' }).end();
      });
    });
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

let receiver: Receiver;
beforeEach(async () => {
  receiver = new Receiver();
  await receiver.listen();
});
afterEach(() => receiver.close());

const verified = ({ headers, body }: Received) => new Webhook(SECRET).verify(body, headers as Record<string, string>);

describe('a case', () => {
  let bench: NotifierBench;
  afterEach(() => bench.close());
  const openBench = async (settings: Readonly<Record<string, string>> = {}) => {
    const webhook = { LACUNA_WEBHOOK_URL: `http://${receiver.host}/cases`, LACUNA_WEBHOOK_SECRET: SECRET };
    bench = await NotifierBench.open({ settings: { ...webhook, LACUNA_EGRESS_ALLOW: receiver.host, ...settings } });
  };
  const deliveries = () => bench.rows<{ state: string; attempts: number; last_problem: string | null }>('select * from delivery');

  it('is announced by one webhook that its receiver can verify, without the records’ contents', async () => {
    await openBench();
    await bench.start();
    const verdict = aMatchReview();
    await bench.tell(told(events.verdictReached, verdict), told(events.verdictReached, verdict));
    await until('the webhook is delivered', async () => (await deliveries()).every(({ state }) => state === 'delivered'));
    const [opened] = await bench.published(events.caseOpened, verdict.questionId);
    const [one, ...more] = receiver.received as [Received, ...Received[]];
    expect(more).toEqual([]);
    expect(one.headers).toMatchObject({ 'webhook-id': opened?.caseId, 'content-type': 'application/json' });
    expect(verified(one)).toMatchObject({
      type: 'case.opened',
      data: { caseId: opened?.caseId, owner: verdict.owner, subject: 'match-review' },
    });
    expect(() => verified({ ...one, body: one.body.replace('match-review', 'evidence-hold') })).toThrow(/signature/i);
  });

  it('is announced again after a 500, under the same id, with the same bytes', async () => {
    await openBench();
    receiver.statuses = [500];
    await bench.start();
    await bench.tell(told(events.verdictReached, aMatchReview()));
    await until('the webhook is delivered', async () => (await deliveries()).every(({ state }) => state === 'delivered'));
    const [first, second] = receiver.received as [Received, Received];
    expect(second.body).toBe(first.body);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(verified(second)).toEqual(verified(first));
    expect(await deliveries()).toMatchObject([{ attempts: 2, last_problem: null }]);
  });

  it('is announced to no address outside the allow-list, and says which setting is missing', async () => {
    await openBench({ LACUNA_EGRESS_ALLOW: '127.0.0.1:1' });
    await bench.start();
    await bench.tell(told(events.verdictReached, aMatchReview()));
    await until('the first attempt is recorded', async () => (await deliveries())[0]?.attempts === 1);
    expect((await deliveries())[0]).toMatchObject({
      state: 'queued',
      last_problem: expect.stringContaining('LACUNA_EGRESS_ALLOW') as string,
    });
    expect(receiver.received).toEqual([]);
  });

  it.each([
    ['without a secret', { LACUNA_WEBHOOK_SECRET: '' }, /never sent unsigned/],
    ['with a secret that is no base64', { LACUNA_WEBHOOK_SECRET: 'whsec_!!!!!!!!!!!!!!!' }, /not base64/],
  ])('stops the start %s: an unsigned webhook can be forged', async (_, settings, message) => {
    await openBench(settings);
    await expect(bench.start()).rejects.toThrow(message);
  });
});

describe('a webhook', () => {
  const bounds = { attemptsMax: 3, retryDelayMs: 5, retryDelayMsMax: 10 };
  const sent = async (statuses: number[]) => {
    receiver.statuses = statuses;
    const service = await freshServiceDatabase('notifier', [NotifierTables1764547200000]);
    const { database } = service;
    const jobs = new PostgresJobQueue(database);
    const egress = { hosts: new Set([receiver.host]), networks: [] };
    const sender = new WebhookSender({ url: `http://${receiver.host}/`, secret: SECRET, egress });
    const deliver = new DeliverWebhook({ database, jobs, sender, clock: systemClock, bounds });
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const worker = new JobWorker({
      database,
      jobs,
      queue: webhookQueue,
      run: (job, lease) => deliver.run(job, lease),
      clock: systemClock,
      logger,
    });
    const opened: CaseOpened = aCaseOpened();
    await database.transaction(async (tx) => {
      await tx.actFor(opened.tenantId);
      await queueWebhooks(tx, opened.tenantId, [opened], jobs, new Date());
    });
    worker.start();
    await until('the job is over', async () => (await database.query('select key from job')).length === 0);
    await worker.stop();
    await sender.close();
    const delivery = await database.transaction(async (tx) => {
      await tx.actFor(opened.tenantId);
      return (await tx.query('select state, attempts, last_problem from delivery'))[0];
    });
    await service.drop();
    return delivery;
  };

  it('is given up after the bound, and stays visible with its last problem', async () => {
    expect(await sent([500, 503, 404, 500])).toEqual({ state: 'given-up', attempts: 3, last_problem: 'the receiver answered 404' });
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('follows no redirect: it would carry the case to an address that nobody allowed', async () => {
    expect(await sent([307, 307, 307])).toMatchObject({ state: 'given-up', last_problem: 'the receiver answered 307' });
    expect(receiver.received).toHaveLength(3);
  });

  it('is delivered by the last attempt that the bound allows', async () => {
    expect(await sent([500, 500])).toEqual({ state: 'delivered', attempts: 3, last_problem: null });
  });
});
