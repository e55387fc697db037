/** `lacuna ask` and `lacuna receipt` against a gateway as it runs, on a Postgres log of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncodedEvent } from '@lacuna/events';
import { buildReceipt, generateSigningKey, sealReceipt } from '@lacuna/receipts';
import { aCaseOpened, aMatchReview, anEvidenceHold, aReceiptAppended, aVerdictReached, aWriteSettled, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encoded, events, startGateway, type RunningGateway } from '../../gateway/test/running-gateway.js';
import { aReceiptInput } from '../../../libs/receipts/test/a-receipt.js';
import { runLacuna } from './run-lacuna.js';

const question = ['ask', 'service-requests', 'account=ACC-000001', 'reference=SR-1'];

let gateway: RunningGateway;
let folder: string;
let env: Record<string, string>;
let authorization: { Authorization: string };

beforeAll(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), 'lacuna-cli-'));
  authorization = await gateway.keyOf('t1');
  env = { LACUNA_URL: gateway.url, LACUNA_API_KEY: authorization.Authorization.replace('Bearer ', '') };
});
afterAll(async () => {
  await gateway?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Asks, lets something happen to the question, and asks the same again, waiting. */
async function askAgain(happens: (questionId: string) => EncodedEvent[], ...more: string[]) {
  const key = ['--idempotency-key', freshId('key')];
  const first = await runLacuna([...question, ...more, ...key, '--wait', '0', '--json'], env);
  expect(first.exitCode).toBe(12);
  const { questionId } = JSON.parse(first.out) as { questionId: string };
  await gateway.publish(...happens(questionId));
  return { questionId, ran: await runLacuna([...question, ...more, ...key, '--wait', '20'], env) };
}

const verdict = (data: Parameters<typeof aVerdictReached>[0]) => encoded(events.verdictReached, aVerdictReached(data));

describe('lacuna ask', () => {
  it('exits with 0 for a complete no-match', async () => {
    const { ran } = await askAgain((questionId) => [verdict({ tenantId: 't1', questionId })]);
    expect(ran).toMatchObject({ exitCode: 0, err: '' });
    expect(ran.out).toMatch(/^scoped-no-match {2}not partial, coverage complete\n/);
  });

  it('asks for all with --kind and shows the number that the verdict claims', async () => {
    const { ran } = await askAgain((questionId) => [verdict({ tenantId: 't1', questionId, count: 0 })], '--kind', 'enumerate');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.out).toContain('count: 0');
  });

  it('creates nothing with a question of another kind: wrong usage, and nothing is asked', async () => {
    const ran = await runLacuna([...question, '--kind', 'gone', '--create', '{}'], env);
    expect(ran).toMatchObject({ exitCode: 2, out: '' });
    expect(ran.err).toContain('--kind exists');
  });

  it('exits with 10 for a match and names the record', async () => {
    const data = aMatchReview({ tenantId: 't1' });
    const { ran } = await askAgain((questionId) => [
      encoded(events.verdictReached, { ...data, questionId }),
      encoded(events.caseOpened, aCaseOpened({ tenantId: 't1', questionId })),
    ]);
    expect(ran.exitCode).toBe(10);
    expect(ran.out).toContain(data.matches[0]?.recordId);
  });

  it('exits with 11 for a hold and names reason and owner; fails when a hold reads as absence', async () => {
    const { ran } = await askAgain((questionId) => [encoded(events.verdictReached, anEvidenceHold({ tenantId: 't1', questionId }))]);
    expect(ran.exitCode).toBe(11);
    expect(ran.out).toContain('owner: intake desk');
  });

  it('exits with 12 when the time is over, with nothing concluded', async () => {
    const ran = await runLacuna([...question, '--wait', '0'], env);
    expect(ran.exitCode).toBe(12);
    expect(ran.out).toMatch(/^reading {2}partial, coverage recent_unavailable/);
  });

  it('reads the record to create from a file and says what became of it', async () => {
    const file = join(folder, 'record.json');
    await writeFile(file, '{"title":"x"}');
    const { ran } = await askAgain(
      (questionId) => [
        verdict({ tenantId: 't1', questionId }),
        encoded(events.writeSettled, aWriteSettled({ tenantId: 't1', questionId, recordId: 'R-7' })),
      ],
      '--create',
      `@${file}`,
    );
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('write: created, R-7') });
  });

  it("prints the API's object unchanged with --json; fails when members are renamed, left out or ordered anew", async () => {
    const ran = await runLacuna([...question, '--wait', '0', '--json'], env);
    const { questionId } = JSON.parse(ran.out) as { questionId: string };
    const { text } = await gateway.api.get(`/v1/questions/${questionId}`).set(authorization).expect(200);
    expect(ran.out).toBe(`${text}\n`);
  });

  it.each([
    ['an unknown register', ['ask', 'nothing', 'a=1'], /There is no such register: No register is named "nothing".*\(HTTP 404\)/],
    ['an identifier that the register has not', ['ask', 'service-requests', 'colour=red'], /\/identifiers\/0\/name.*\(HTTP 422\)/],
    ['a file that is not there', [...question, '--create', '@/no/such/file'], /--create names \/no\/such\/file.*ENOENT/],
  ])('says %s in one line', async (_, args, reason) => {
    const ran = await runLacuna(args, env);
    expect(ran).toEqual({ exitCode: 1, out: '', err: expect.stringMatching(reason) });
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says what to do when the key is not known', async () => {
    const ran = await runLacuna(question, { ...env, LACUNA_API_KEY: 'lk_unknown' });
    expect(ran).toEqual({ exitCode: 1, out: '', err: expect.stringMatching(/\(HTTP 401\): set LACUNA_API_KEY/) });
  });
});

describe('lacuna receipt', () => {
  const signer = generateSigningKey();
  const questionId = 'q-of-a-receipt';
  const { payload, receiptHash } = buildReceipt(aReceiptInput({ question: { tenantId: 't1', questionId } }));
  const { envelopeBytes } = sealReceipt(payload, signer);
  const { receiptId } = payload;
  const pems = { right: '', other: '' };

  beforeAll(async () => {
    for (const [name, key] of Object.entries({ right: signer, other: generateSigningKey() })) {
      pems[name as keyof typeof pems] = join(folder, `${name}.pem`);
      await writeFile(join(folder, `${name}.pem`), key.publicKeyPem);
    }
    const appended = { tenantId: 't1', questionId, receiptId, receiptHash, envelope: envelopeBytes.toString('base64') };
    await gateway.publish(encoded(events.receiptAppended, aReceiptAppended(appended)));
  });

  it('shows it, and says that it is not verified', async () => {
    const ran = await runLacuna(['receipt', receiptId], env);
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toContain(payload.verdict.statement);
    expect(ran.err).toMatch(/^not verified/);
  });

  it('verifies it with the public key', async () => {
    const ran = await runLacuna(['receipt', receiptId, '--verify', pems.right], env);
    expect(ran).toMatchObject({ exitCode: 0, err: expect.stringMatching(/^verified/) });
    expect(ran.out).toContain(receiptHash);
  });

  it('shows nothing of it under another key; fails when a forged receipt is read with a warning above it', async () => {
    const ran = await runLacuna(['receipt', receiptId, '--verify', pems.other], env);
    expect(ran).toEqual({ exitCode: 1, out: '', err: expect.stringContaining('signed with another key') });
  });

  it("prints the envelope's exact bytes, which anyone can verify", async () => {
    expect(await runLacuna(['receipt', receiptId, '--envelope'], env)).toMatchObject({ exitCode: 0, out: envelopeBytes.toString('utf8') });
  });

  it('that is not there is said so', async () => {
    const ran = await runLacuna(['receipt', 'rcp_none'], env);
    expect(ran).toEqual({ exitCode: 1, out: '', err: expect.stringContaining('There is no such receipt') });
  });
});
