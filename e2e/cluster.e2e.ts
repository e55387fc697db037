/** The main job over Apache Kafka with five separate processes: demonstrations, independent readers, and a thousand questions twice. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demonstrate } from '@lacuna/embedded';
import { addRequests, chooseQuestions, type Questions } from '@lacuna/sample-source';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('answer them over SQL with a fifth of the connections cut: nothing missed, nothing unsupported, no more holds than cuts', async () => {
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
