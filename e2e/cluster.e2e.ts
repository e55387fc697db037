/** The main job over Apache Kafka with five separate processes: demonstrations, independent readers, and a thousand questions twice. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demonstrate } from '@lacuna/embedded';
import { addRequests, chooseQuestions, type Questions } from '@lacuna/sample-source';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountWith500 } from './cluster/busy-account.js';
import { askMany, printTally, tally } from './cluster/ask-many.js';
import { type RunningCluster, runningCluster } from './cluster/running-cluster.js';
import { dumpTopic, ofType } from './cluster/topic-dump.js';
import { startUnsteadyProxy, type UnsteadyProxy } from './cluster/unsteady-proxy.js';

const ROWS = 100_000;
const verifyReceipt = fileURLToPath(new URL('../libs/receipts/verify-receipt.mjs', import.meta.url));

describe.skipIf(!process.env['LACUNA_TEST_KAFKA_BROKERS'])('five processes over Kafka', () => {
  let running: RunningCluster;
  let proxy: UnsteadyProxy;
  let questions: Questions;

  beforeAll(async () => {
    running = await runningCluster({
      sampleRows: ROWS,
      sampleDatabaseUrl: async (direct) => {
        const url = new URL(direct);
        proxy = await startUnsteadyProxy({ host: url.hostname, port: Number(url.port) }, 7);
        url.port = String(proxy.port);
        return url.href;
      },
    });
    questions = await chooseQuestions(running.postgres.appUrl, { count: 500, seed: 11 });
  });
  afterAll(async () => {
    await running?.stop();
    await proxy?.stop();
  });

  it('show the five demonstrations', async () => {
    // Fails when any verdict, record, write, case or webhook of the main job differs from what the demonstration says.
    const shown = [];
    for await (const demonstration of demonstrate({
      askers: running.askers,
      runId: String(Date.now()).slice(-9),
      addRequests: (rows) => addRequests(running.postgres.appUrl, rows),
      addFaults: (faults) => running.source.faults.add(faults),
      webhookFor: running.webhookFor,
    })) {
      shown.push({ number: demonstration.number, missed: demonstration.missed });
    }
    expect(shown).toEqual([1, 2, 3, 4, 5].map((number) => ({ number, missed: [] })));
  });

  it('write page reads, verdicts and receipts that kcat reads as CloudEvents with plain JSON values', async () => {
    // Fails when headers or values need our code to be read, or when an event is on another topic than the catalogue says.
    const expected = [
      ['lacuna.searches.v1', 'lacuna.page.read'],
      ['lacuna.verdicts.v1', 'lacuna.verdict.reached'],
      ['lacuna.receipts.v1', 'lacuna.receipt.appended'],
    ] as const;
    for (const [topic, type] of expected) {
      const messages = ofType(await dumpTopic(running.kafka.brokers, topic), type);
      expect(messages.length, topic).toBeGreaterThan(0);
      for (const { headers, payload, key } of messages) {
        expect(headers).toMatchObject({ ce_specversion: '1.0', ce_type: type, 'content-type': 'application/json' });
        expect(headers['ce_id']).toBeTruthy();
        expect(headers['ce_source']).toMatch(/^\/lacuna\//);
        expect(headers['ce_time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        const data = JSON.parse(payload) as { tenantId: string };
        expect(key.startsWith(data.tenantId)).toBe(true);
      }
    }
  });

  it('sign receipts that a script without our code verifies', async () => {
    // Fails when the envelope on the topic is not the signed bytes, or is signed by another key.
    const [receipt] = ofType(await dumpTopic(running.kafka.brokers, 'lacuna.receipts.v1'), 'lacuna.receipt.appended');
    const { envelope, receiptHash } = JSON.parse(receipt?.payload ?? '{}') as { envelope: string; receiptHash: string };
    const file = join(dirname(running.cluster.publicKeyFile), 'envelope.json');
    writeFileSync(file, Buffer.from(envelope, 'base64'));
    const { stdout } = await promisify(execFile)(process.execPath, [verifyReceipt, file, running.cluster.publicKeyFile, '--json']);
    expect(stdout).toContain(receiptHash);
  });

  it('do not hold a question because its account has 500 other requests', async () => {
    // Fails when rows that differ count as doubts: every busy account would then be held for ever.
    const account = await accountWith500(running.postgres.appUrl);
    for (const register of ['service-requests', 'service-requests-http', 'service-requests-pages']) {
      const asked = { account, reference: 'NOT-AMONG-THE-500', instance: 'eu-1' };
      const answer = await running.askers[0].ask({ register, identifiers: asked, waitSeconds: 60 });
      expect({ register, verdict: answer.verdict, partial: answer.partial }).toEqual({
        register,
        verdict: 'scoped-no-match',
        partial: false,
      });
    }
  });

  it('answer scoped-no-match after a reviewer called the match a different record', async () => {
    // Fails when an exclusion is forgotten in the next generation, or excludes more than the record at that version.
    const [question] = questions.present;
    const { account, reference, instance } = question!;
    const asked = { register: 'service-requests', identifiers: { account, reference, instance }, waitSeconds: 60 };
    const match = await running.askers[0].ask(asked);
    expect(match.verdict).toBe('match-review');
    const caseId = await openCaseOf(match.questionId);
    const decided = await fetch(new URL(`/v1/cases/${caseId}/decisions`, running.cluster.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'different' }),
    });
    expect(decided.status).toBe(202);
    const rerun = await running.askers[0].question(match.questionId, 60);
    expect({ verdict: rerun.verdict, generation: rerun.generation }).toEqual({ verdict: 'scoped-no-match', generation: 2 });
    const another = await running.askers[0].ask(asked);
    expect(another.verdict, 'another question about the same record').toBe('match-review');
  });

  const openCaseOf = async (questionId: string): Promise<string> => {
    for (let waits = 0; waits < 100; waits++) {
      const { caseIds } = await running.askers[0].question(questionId);
      if (caseIds[0]) return caseIds[0];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`no case of ${questionId}`);
  };

  it.each([
    ['SQL, exact lookup', 'service-requests'],
    ['HTTP, cursor pages', 'service-requests-http'],
  ])('answer 1,000 questions over %s: 500 matches with the right record, 500 no-matches, no hold', async (title, register) => {
    // Fails on one missed record, one unsupported no-match, or one needless hold.
    const counts = tally(await askMany(running.askers[0], register, questions.present, questions.absent));
    printTally(title, counts);
    expect(counts).toEqual({
      asked: 1_000,
      foundRight: 500,
      foundWrong: 0,
      supportedNoMatch: 500,
      unsupportedNoMatch: 0,
      falseMatch: 0,
      holds: 0,
    });
  });

  it('answer them over HTTP with a fifth of the reads faulted: nothing missed, nothing unsupported, holds only where a fault was', async () => {
    // Fails when a fault is taken for an end, or when a question whose reads were all sound is held.
    const kinds = [
      'reset',
      'half-json',
      'truncated-body',
      'login-page',
      'repeat-cursor',
      'empty-page',
      'total-wrong',
      'duplicate-rows',
    ] as const;
    const each = 0.2 / (kinds.length + 2);
    const remove = running.source.faults.add([
      ...kinds.map((kind, seed) => ({ kind, share: each, seed })),
      { kind: 'status' as const, status: 503, share: each, seed: 100 },
      { kind: 'status' as const, status: 403, share: each, seed: 101 },
    ]);
    const outcomes = await askMany(running.askers[0], 'service-requests-http', questions.present, questions.absent);
    remove();
    const counts = tally(outcomes);
    printTally('HTTP, a fifth of the reads faulted', counts);
    expect(counts).toMatchObject({ asked: 1_000, foundWrong: 0, unsupportedNoMatch: 0, falseMatch: 0 });
    const faulted = new Set(running.source.faults.applied().map(({ account }) => account));
    const heldWithoutFault = outcomes.filter(({ answer, account }) => answer.verdict === 'evidence-hold' && !faulted.has(account));
    expect(heldWithoutFault).toEqual([]);
    expect(counts.foundRight + counts.supportedNoMatch + counts.holds).toBe(1_000);
  });

  it('answer them over SQL with a fifth of the reads cut: nothing missed, nothing unsupported, no more holds than cuts', async () => {
    // Fails when a cut connection reads as an empty table.
    proxy.setShare(0.2);
    const counts = tally(await askMany(running.askers[0], 'service-requests', questions.present, questions.absent));
    proxy.setShare(0);
    printTally('SQL, a fifth of the reads cut', counts);
    expect(proxy.cut()).toBeGreaterThan(100);
    expect(counts).toMatchObject({ asked: 1_000, foundWrong: 0, unsupportedNoMatch: 0, falseMatch: 0 });
    expect(counts.holds).toBeLessThanOrEqual(proxy.cut());
    expect(counts.foundRight + counts.supportedNoMatch + counts.holds).toBe(1_000);
  });
});
