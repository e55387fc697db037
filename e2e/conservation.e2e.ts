/**
 * Five services as processes over real Kafka and PostgreSQL, everything going wrong once while questions are asked: services killed and stopped for
 * longer than their session, broker and database gone or standing still, connections reset or slow. Afterwards nothing is lost, nothing was
 * done twice, every key is in order and repetitions have the same bytes. `npm run soak` is the long form of it; tools/soak/conserved.spec.ts
 * shows that the check finds each kind of loss.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../tools/soak/faults.mjs';
import { startSoakCluster } from '../tools/soak/soak-cluster.mjs';
import { soakRound } from '../tools/soak/soak-round.mjs';

const QUESTIONS = 400;
const SIDE_BY_SIDE = 8;

describe.skipIf(!process.env['LACUNA_TEST_KAFKA_BROKERS'])('while everything goes wrong once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-conservation-'));
  let running: Awaited<ReturnType<typeof startSoakCluster>>;
  beforeAll(async () => {
    running = await startSoakCluster({ folder, sampleRows: 5_000, keep: false });
  });
  afterAll(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('nothing is lost and nothing done twice', async () => {
    // Fails when an effect is outside its position's transaction, an offset is trusted, a zombie's write counts, or a request is half-done.
    const seed = Number(process.env['LACUNA_SOAK_SEED'] ?? Math.floor(Date.now() / 1_000));
    const options = { round: 1, seed, questions: QUESTIONS, sideBySide: SIDE_BY_SIDE, paceMs: 500 };
    const outcome = await soakRound(running, { ...options, from: {}, say: () => undefined });
    console.log(`conservation, seed ${seed}, ${outcome.seconds} s: ${JSON.stringify(outcome.counts)}`);
    for (const { name, what } of outcome.faults) console.log(`  ${name}: ${what}`);
    expect(outcome.problems).toEqual({});
    expect(outcome.faults).toHaveLength(faults.length);
    expect(outcome.counts).toMatchObject({ asked: QUESTIONS, created: outcome.counts['records'] });
    expect(outcome.counts['repetitions'], 'nothing had to be repeated: the faults came at moments that prove nothing').toBeGreaterThan(0);
  });
});
