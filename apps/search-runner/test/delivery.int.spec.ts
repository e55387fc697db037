/** Every question gets one search per generation, whatever is repeated, killed or taken over. */
import type { EventLog } from '@lacuna/messaging';
import { PostgresEventLog } from '@lacuna/postgres';
import { aQuestionRerun, eventually, freshId } from '@lacuna/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asked, askedAgain, bench, type Bench, published, toldEnd } from './running-runner.js';
import { aQuestionOf, anHttpRegister } from './sample-register.js';

const register = anHttpRegister();
const records = ['a', 'b', 'c'].map((id) => ({ id, reference: `SR-${id}` }));

describe('a search', () => {
  let runner: Bench;
  let tenantId: string;
  beforeAll(async () => {
    runner = await bench();
    runner.source.items.set('acme', records);
    // Its topics are there from its first start.
    await runner.stop(await runner.start());
  });
  afterEach(async () => {
    runner.source.gate = async () => undefined;
  });
  afterAll(() => runner.close());

  const ask = async (changes = {}) => {
    tenantId = freshId('tenant');
    const question = aQuestionOf(register, { tenantId, ...changes });
    await runner.publish(published(tenantId, register), asked(question));
    return question;
  };

  it('happens once although every message comes twice', async () => {
    const { questionId } = await ask();
    const service = await runner.start();
    const rerun = askedAgain(aQuestionRerun({ tenantId, questionId }));
    await runner.publish(asked(aQuestionOf(register, { tenantId, questionId })), rerun, rerun, published(tenantId, register));
    await runner.handled();
    const ends = await runner.ended(2, tenantId);
    expect(ends.map((end) => `${end.generation} ${toldEnd(end)}`).sort()).toEqual(['1 ledger end-signalled 2', '2 ledger end-signalled 2']);
    await runner.stop(service);
    expect(await runner.endsOf(tenantId)).toHaveLength(2);
    expect(await runner.admin.query('select from job')).toEqual([]);
  });

  it('happens once after a crash before the commit of its question; fails when a question is lost or gets two jobs', async () => {
    const { crashed } = await runner.crashAt('before-commit');
    await ask();
    await crashed;
    const service = await runner.start();
    expect((await runner.ended(1, tenantId)).map(toldEnd)).toEqual(['ledger end-signalled 2']);
    await runner.stop(service);
  });

  it.each(['job-leased', 'job-stored', 'page-published', 'job-before-settle', 'job-after-settle'])(
    'ends once after a crash at %s: a successor repeats search.started byte for byte, and reads in attempts of its own',
    async (point) => {
      const { crashed } = await runner.crashAt(point);
      await ask();
      await crashed;
      const before = (await runner.startedBytes()).filter((bytes) => bytes.includes(tenantId));
      await runner.expireLeases();
      const service = await runner.start();
      const [end] = await runner.ended(1, tenantId);
      await runner.stop(service);
      expect(await runner.endsOf(tenantId)).toHaveLength(1);
      const starts = (await runner.startedBytes()).filter((bytes) => bytes.includes(tenantId));
      expect(new Set(starts).size).toBe(1);
      if (before.length > 0) expect(starts[0]).toBe(before[0]);
      const attempts = (await runner.pagesOf(tenantId)).map((page) => page.attemptId);
      const own = attempts.filter((attemptId) => attemptId === end?.sources[0]?.attemptId);
      // Pages that a killed holder left behind belong to no attempt that counts; a search that found nothing must still support a no-match.
      expect(await runner.verdictOn(register, tenantId)).toMatchObject({ verdict: 'scoped-no-match', partial: false });
      expect([own.length, new Set(attempts).size]).toEqual([2, point === 'page-published' || point === 'job-before-settle' ? 2 : 1]);
    },
  );

  it('ends once when its lease passes to another while it reads; the one before leaves no end', async () => {
    let open = () => undefined as void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let waiting = 0;
    runner.source.gate = async (path) => {
      if (path.includes('cursor') && ++waiting === 1) await opened;
    };
    const slow = await runner.start();
    await ask();
    await eventually('the first holder waits for its second page', async () => waiting === 1);
    const successor = await runner.start();
    await runner.expireLeases();
    const [end] = await runner.ended(1, tenantId);
    open();
    await runner.stop(slow);
    await runner.stop(successor);
    expect(await runner.endsOf(tenantId)).toHaveLength(1);
    const [first] = await runner.pagesOf(tenantId);
    expect(end?.sources[0]?.attemptId).not.toBe(first?.attemptId);
  });

  it('is published by a successor when a crash comes between its commit and its publication, where the log is another system', async () => {
    const service = await runner.crashAt('before-publish', { log: withoutAppend(runner) });
    await ask();
    await service.crashed;
    expect(await runner.endsOf(tenantId)).toEqual([]);
    const successor = await runner.start({ log: withoutAppend(runner) });
    expect((await runner.ended(1, tenantId)).map(toldEnd)).toEqual(['ledger end-signalled 2']);
    await runner.stop(successor);
  });
});

/** As Kafka is: nothing is appended in the service's own transaction. */
function withoutAppend({ database }: Bench): EventLog {
  const log = new PostgresEventLog(database);
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'appendIn') return null;
      const value = Reflect.get(target, name, target) as unknown;
      if (name === 'publish') return async (messages: Parameters<EventLog['publish']>[0]) => target.publish(messages);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
