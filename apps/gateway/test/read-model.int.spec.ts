import {
  aCaseClosed,
  aCaseOpened,
  aDeliveryCleared,
  aDeliveryStalled,
  aMatchReview,
  aNamedRecord,
  anEvidenceHold,
  aPageRead,
  aReceiptAppended,
  aSearchStarted,
  aVerdictReached,
  aWriteSettled,
} from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelPosition } from '../src/projections/read-model-position.js';
import { aQuestion, encoded, events, startGateway, type RunningGateway } from './running-gateway.js';

let gateway: RunningGateway;
let key: { Authorization: string };

beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.keyOf('t1');
});
afterAll(() => gateway.stop());

const get = (path: string) => gateway.api.get(`/v1/${path}`).set(key);

async function asked(body = aQuestion()): Promise<{ tenantId: string; questionId: string }> {
  const response = await gateway.api.post('/v1/questions').set(key).send(body).expect(202);
  return { tenantId: 't1', questionId: response.body.questionId as string };
}

describe('the read model', () => {
  it('says the same after every message came twice; fails when a repetition counts or overwrites', async () => {
    const of = await asked(aQuestion({ intent: { kind: 'create', payload: {} } }));
    const opened = aCaseOpened(of);
    const all = [
      encoded(events.searchStarted, aSearchStarted(of)),
      encoded(events.pageRead, aPageRead({ ...of, attemptId: 'a-1', sequence: 0 })),
      encoded(events.pageRead, aPageRead({ ...of, attemptId: 'a-1', sequence: 1 })),
      encoded(events.verdictReached, aVerdictReached(of)),
      encoded(events.writeSettled, aWriteSettled(of)),
      encoded(events.caseOpened, opened),
      encoded(events.caseClosed, aCaseClosed({ ...of, caseId: opened.caseId })),
      encoded(events.deliveryStalled, aDeliveryStalled(of)),
      encoded(events.deliveryCleared, aDeliveryCleared(of)),
    ];
    await gateway.publish(...all);
    const once = { answer: (await get(`questions/${of.questionId}`)).body, case: (await get(`cases/${opened.caseId}`)).body };
    const ends: string[] = [events.caseClosed.type, events.deliveryCleared.type];
    await gateway.publish(...all, ...all.filter((event) => !ends.includes(event.headers['ce_type'] ?? '')));
    const again = { answer: (await get(`questions/${of.questionId}`)).body, case: (await get(`cases/${opened.caseId}`)).body };
    expect(again).toEqual(once);
    expect(once.answer).toMatchObject({ progress: { attempts: 1, pages: 2 }, deliveryStalled: false, caseIds: [opened.caseId] });
    expect(Object.keys(once.case).slice(0, 3)).toEqual(['partial', 'coverage', 'from_clamped']);
    expect(once.case).toMatchObject({ partial: false, state: 'closed', outcome: 'resolved' });
  });

  it('takes a case before its verdict and a write before its verdict; fails when one topic must be ahead of another', async () => {
    const of = await asked(aQuestion({ intent: { kind: 'create', payload: {} } }));
    await gateway.publish(encoded(events.caseOpened, aCaseOpened(of)), encoded(events.writeSettled, aWriteSettled(of)));
    expect((await get(`questions/${of.questionId}`)).body).toMatchObject({ state: 'reading', write: { answer: 'created' } });
    await gateway.publish(encoded(events.verdictReached, aVerdictReached(of)));
    expect((await get(`questions/${of.questionId}`)).body).toMatchObject({ state: 'decided', write: { answer: 'created' } });
  });

  it('lets a newer generation speak as soon as it starts; fails when the old verdict stands while new evidence is read', async () => {
    const of = await asked();
    await gateway.publish(
      encoded(events.verdictReached, anEvidenceHold(of)),
      encoded(events.searchStarted, aSearchStarted({ ...of, generation: 2 })),
    );
    expect((await get(`questions/${of.questionId}`)).body).toMatchObject({ generation: 2, state: 'reading', verdict: null, partial: true });
    await gateway.publish(encoded(events.verdictReached, aVerdictReached({ ...of, generation: 2 })));
    expect((await get(`questions/${of.questionId}`)).body).toMatchObject({ generation: 2, verdict: 'scoped-no-match', partial: false });
  });

  it('shows a stalled delivery beside the verdict until it is cleared', async () => {
    const of = await asked();
    await gateway.publish(encoded(events.verdictReached, aMatchReview(of)), encoded(events.deliveryStalled, aDeliveryStalled(of)));
    expect((await get(`questions/${of.questionId}`)).body).toMatchObject({ deliveryStalled: true, verdict: 'match-review' });
    await gateway.publish(encoded(events.deliveryCleared, aDeliveryCleared(of)));
    expect((await get(`questions/${of.questionId}`)).body.deliveryStalled).toBe(false);
  });
});

describe('receipts', () => {
  const payload = Buffer.from('{"receiptId":"rcp_x"}').toString('base64');
  const envelope = Buffer.from(`{"payload":"${payload}","payloadType":"x","signatures":[]}`);

  it('come as their exact bytes, or as JSON beside their place in the log; fails when the leaf is printed again', async () => {
    const receipt = aReceiptAppended({ tenantId: 't1', leafIndex: 7, envelope: envelope.toString('base64') });
    await gateway.publish(encoded(events.receiptAppended, receipt));
    const { body } = await get(`receipts/${receipt.receiptId}`).expect(200);
    expect(body).toMatchObject({ leafIndex: 7, receiptHash: receipt.receiptHash, payload: { receiptId: 'rcp_x' } });
    expect(body.envelope).toBe(receipt.envelope);
    for (const exact of [
      get(`receipts/${receipt.receiptId}?format=envelope`),
      get(`receipts/${receipt.receiptId}`).set('Accept', 'application/vnd.dsse+json'),
    ]) {
      const response = await exact.buffer(true).parse((res, done) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () => done(null, Buffer.concat(parts)));
      });
      expect(response.headers['content-type']).toBe('application/vnd.dsse+json');
      expect((response.body as Buffer).equals(envelope)).toBe(true);
    }
  });

  it('are "not known yet" while the read model is behind the log; fails when lag looks like absence', async () => {
    const position = gateway.app.get(ReadModelPosition);
    const reaches = position.reaches.bind(position);
    position.reaches = () => Promise.resolve(false);
    try {
      const response = await get('receipts/rcp_late').expect(503);
      expect(response.headers['retry-after']).toBe('1');
      await get('cases/c-late').expect(503);
    } finally {
      position.reaches = reaches;
    }
    await get('receipts/rcp_late').expect(404);
  });
});

describe('lists', () => {
  it('come newest first, in pages that say that they are not all; fails when a page can be taken for the whole', async () => {
    for (let index = 0; index < 3; index += 1) await asked();
    const first = await get('questions?limit=2').expect(200);
    expect(Object.keys(first.body).slice(0, 4)).toEqual(['partial', 'coverage', 'from_clamped', 'advice']);
    expect(first.body).toMatchObject({ partial: true, coverage: 'range_too_wide' });
    const all = (await get('questions?limit=200').expect(200)).body as { items: { questionId: string; askedAt: string }[] };
    expect(all).toMatchObject({ partial: false, coverage: 'complete', nextCursor: null });
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: { items: { questionId: string }[]; nextCursor: string | null } } = await get(
        `questions?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      ids.push(...body.items.map((item) => item.questionId));
      cursor = body.nextCursor;
    }
    expect(ids).toEqual(all.items.map((item) => item.questionId));
    expect(all.items.map((item) => item.askedAt)).toEqual(
      all.items
        .map((item) => item.askedAt)
        .sort()
        .reverse(),
    );
  });

  it('show the first records of each answer and say how many more there are; fails when a list cuts silently or grows without bound', async () => {
    const of = await asked();
    const matches = Array.from({ length: 25 }, () => aNamedRecord());
    await gateway.publish(encoded(events.verdictReached, aMatchReview({ ...of, matches })));
    const { body: alone } = await get(`questions/${of.questionId}`);
    expect(alone).toMatchObject({ unlisted: { matches: 0, candidates: 0 } });
    expect(alone.matches.map((record: { recordId: string }) => record.recordId)).toEqual(matches.map(({ recordId }) => recordId));
    const { body: list } = await get('questions?limit=1');
    expect(list.items[0]).toMatchObject({ questionId: of.questionId, unlisted: { matches: 5, candidates: 0 } });
    expect(list.items[0].matches).toHaveLength(20);
  });

  it('of cases have open ones first and page through both; fails when the cursor loses the boundary between them', async () => {
    const cases = Array.from({ length: 5 }, () => aCaseOpened({ tenantId: 't1' }));
    await gateway.publish(...cases.map((opened) => encoded(events.caseOpened, opened)));
    await gateway.publish(
      ...cases.slice(0, 2).map(({ questionId, caseId }) => encoded(events.caseClosed, aCaseClosed({ tenantId: 't1', questionId, caseId }))),
    );
    const all = (await get('cases').expect(200)).body.items as { caseId: string; state: string }[];
    expect(all.map((item) => item.state)).toEqual(
      all
        .map((item) => item.state)
        .sort()
        .reverse(),
    );
    expect((await get('cases?state=open')).body.items).toEqual(all.filter((item) => item.state === 'open'));
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: { items: { caseId: string }[]; nextCursor: string | null } } = await get(
        `cases?limit=1${cursor && `&cursor=${cursor}`}`,
      );
      ids.push(...body.items.map((item) => item.caseId));
      cursor = body.nextCursor;
    }
    expect(ids).toEqual(all.map((item) => item.caseId));
  });
});
