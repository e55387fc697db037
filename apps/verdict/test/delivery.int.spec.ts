/** One verdict and one receipt per generation, whatever is repeated, late, contradicted or killed. */
import { createPublicKey } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { encodeEvent, type EncodedEvent, events, topics } from '@lacuna/events';
import { deadLetterTopic } from '@lacuna/messaging';
import { tablesWithoutForcedRls, type PostgresDatabase } from '@lacuna/postgres';
import { leafHash, openEnvelope, sha256Hex } from '@lacuna/receipts';
import { DATABASE } from '@lacuna/runtime';
import { aMatchingRow, aMissRecorded, aPageRead, eventsOn, eventually, freshId, messagesOn, type Search } from '@lacuna/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aDecidableRegister, aGeneration, encoded } from './a-generation.js';
import { bench, type Bench, published, withoutAppend } from './running-verdict.js';

const register = aDecidableRegister();
const outgoing: string[] = [];
for (const name of ['http.client.request.start', 'undici:request:create']) channel(name).subscribe(() => outgoing.push(name));

let verdict: Bench;
let tenantId: string;
beforeAll(async () => {
  verdict = await bench();
  await verdict.stop(await verdict.start());
});
beforeEach(async () => {
  tenantId = freshId('tenant');
  await verdict.publish(published(tenantId, register));
});
afterAll(() => verdict.close());

const aSearchOf = (...pages: Parameters<typeof aGeneration>[2] & object) =>
  aGeneration(register, { tenantId }, pages.length > 0 ? pages : undefined);

describe('verdict, while it runs', () => {
  beforeAll(async () => void (await verdict.start()));

  it('answers a generation once although every message comes twice, in one batch and in two', async () => {
    const sent = encoded(aSearchOf());
    await verdict.publish(...sent.flatMap((event) => [event, event]));
    await verdict.handled();
    await verdict.publish(...sent);
    await verdict.handled();
    expect((await verdict.verdictsOf(tenantId)).map(({ verdict }) => verdict)).toEqual(['scoped-no-match']);
    expect(await verdict.receiptsOf(tenantId)).toHaveLength(1);
  });

  const otherPage = (search: Search): EncodedEvent =>
    encodeEvent(
      events.pageRead,
      aPageRead({ ...search.pages[0], hash: undefined, rows: [aMatchingRow()], records: 1 } as object),
      'search-runner',
    );

  it('holds when a page comes again with other content before the end', async () => {
    const search = aSearchOf({}, {});
    const [started, first, ...rest] = encoded(search) as [EncodedEvent, EncodedEvent, ...EncodedEvent[]];
    await verdict.publish(started, first, otherPage(search), ...rest);
    const [reached] = await verdict.reached(1, tenantId);
    expect(reached).toMatchObject({
      verdict: 'evidence-hold',
      reasons: expect.arrayContaining([{ code: 'evidence-incomplete', source: null }]),
    });
  });

  it.each(['in the same batch', 'in a later batch'])(
    'ignores what comes %s after the end; fails when a verdict depends on how batches are cut',
    async (when) => {
      const search = aSearchOf();
      const otherEnd = encodeEvent(events.searchEnded, { ...search.ended, sources: [] }, 'search-runner');
      const late = [otherPage(search), otherEnd];
      if (when === 'in the same batch') await verdict.publish(...encoded(search), ...late);
      else {
        await verdict.publish(...encoded(search));
        await verdict.handled();
        await verdict.publish(...late);
      }
      await verdict.handled();
      expect((await verdict.verdictsOf(tenantId)).map(({ verdict }) => verdict)).toEqual(['scoped-no-match']);
    },
  );

  it('takes search.started from a successor again, and pages of the attempt before it; its match counts', async () => {
    const search = aSearchOf();
    const { questionId } = search.started;
    const before = aPageRead({
      tenantId,
      questionId,
      attemptId: `${questionId}.1.ledger.1.1`,
      rows: [aMatchingRow()],
      end: 'continues',
      stop: null,
    });
    const sources = search.ended.sources.map((source) => ({ ...source, pagesOfAllAttempts: 1 }));
    const [started, ...rest] = encoded({ ...search, ended: { ...search.ended, sources } }) as [EncodedEvent, ...EncodedEvent[]];
    await verdict.publish(started, encodeEvent(events.pageRead, before, 'search-runner'), started, ...rest);
    expect(await verdict.reached(1, tenantId)).toMatchObject([{ verdict: 'match-review' }]);
  });

  it('keeps the generations of one question apart', async () => {
    const first = aSearchOf();
    const of = { tenantId, questionId: first.started.questionId };
    await verdict.publish(...encoded(first), ...encoded(aGeneration(register, { ...of, generation: 2 }, [{ rows: [aMatchingRow()] }])));
    const reached = await verdict.reached(2, tenantId);
    expect(reached.map(({ generation, verdict }) => `${generation} ${verdict}`)).toEqual(['1 scoped-no-match', '2 match-review']);
  });

  it('is not disturbed by a miss, which decides nothing', async () => {
    const search = aSearchOf();
    const miss = aMissRecorded({ tenantId, questionId: search.started.questionId });
    await verdict.publish(encodeEvent(events.missRecorded, miss, 'search-runner'), ...encoded(search));
    expect(await verdict.reached(1, tenantId)).toHaveLength(1);
  });

  it('sends an end without its start to the dead letters and tells the question; the others of its batch are decided', async () => {
    const lost = aSearchOf();
    const whole = aSearchOf();
    await verdict.publish(...encoded(lost).slice(1), ...encoded(whole));
    expect((await verdict.reached(1, tenantId)).map(({ questionId }) => questionId)).toEqual([whole.started.questionId]);
    await verdict.handled();
    expect(await messagesOn(verdict.log, deadLetterTopic(topics.searches, 'verdict'))).toHaveLength(1);
    const stalled = (await eventsOn(verdict.log, topics.deliveries)).map((event) => event.data);
    expect(stalled).toMatchObject([{ questionId: lost.started.questionId, group: 'verdict', reason: 'handler-failed' }]);
  });

  it('signs what anyone can check with the public key alone; the receipt’s hash is that of the signed bytes', async () => {
    await verdict.publish(...encoded(aSearchOf()));
    const [reached] = await verdict.reached(1, tenantId);
    const [receipt] = await verdict.receiptsOf(tenantId);
    const envelope = Buffer.from(receipt?.envelope ?? '', 'base64');
    const opened = openEnvelope(envelope, createPublicKey(await verdict.publicKey()));
    expect(opened.ok && sha256Hex(opened.payload)).toBe(receipt?.receiptHash);
    expect(receipt?.receiptHash).toBe(reached?.receiptHash);
    const [kept] = await verdict.admin.query<{ envelope: Buffer }>('select envelope from receipt where tenant_id = $1', [tenantId]);
    expect(leafHash(kept?.envelope ?? Buffer.alloc(0))).toEqual(leafHash(envelope));
  });

  it('keeps tenants apart: every table with their data has forced row-level security, and a transaction sees its own tenant only', async () => {
    const service = await verdict.start();
    await verdict.publish(...encoded(aSearchOf()));
    await verdict.reached(1, tenantId);
    expect(await tablesWithoutForcedRls(verdict.database, 'verdict')).toEqual([]);
    const database = service.app.get<PostgresDatabase>(DATABASE);
    const seen = (actingFor: string) =>
      database.transaction(async (tx) => {
        await tx.actFor(actingFor);
        const counts: number[] = [];
        for (const table of ['evidence', 'generation', 'question_salt', 'receipt_head', 'receipt', 'register_version'])
          counts.push((await tx.query(`select tenant_id from ${table}`)).length);
        return counts;
      });
    expect(await seen(freshId('tenant'))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await seen(tenantId)).toEqual([3, 1, 1, 1, 1, 1]);
    await verdict.stop(service);
  });

  it('makes no outgoing request: it reads its own tables and its topics, and no source', () => {
    expect(outgoing).toEqual([]);
  });
});

describe('verdict, when it is killed', () => {
  let own: Bench;
  beforeEach(async () => {
    own = await bench();
    const first = await own.start();
    await own.publish(published(tenantId, register));
    await own.handled();
    await own.stop(first);
  });
  afterEach(() => own.close());

  it.each(['before-commit', 'after-commit', 'before-offset-commit'])(
    'at %s has one verdict and one receipt per generation all the same',
    async (point) => {
      const { crashed } = await own.crashAt(point, topics.searches);
      await own.publish(...encoded(aSearchOf()), ...encoded(aSearchOf({ rows: [aMatchingRow()] })));
      await crashed;
      await own.start();
      await own.handled();
      expect((await own.verdictsOf(tenantId)).map(({ verdict }) => verdict).sort()).toEqual(['match-review', 'scoped-no-match']);
      expect((await own.receiptsOf(tenantId)).map(({ leafIndex }) => leafIndex).sort()).toEqual([0, 1]);
    },
  );

  it.each([
    ['before-publish', 1],
    ['after-publish', 2],
  ])('at %s, where the log is another system, publishes the same bytes again and decides nothing anew', async (point, times) => {
    const { crashed } = await own.crashAt(point, topics.searches, { log: withoutAppend(own) });
    await own.publish(...encoded(aSearchOf()));
    await crashed;
    await own.start({ log: withoutAppend(own) });
    await eventually('what was committed is published', async () => (await own.publishedBytes(tenantId)).length >= 2 * times);
    const bytes = await own.publishedBytes(tenantId);
    expect([bytes.length, new Set(bytes).size]).toEqual([2 * times, 2]);
  });
});
