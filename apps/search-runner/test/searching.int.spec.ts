/** What a search reads and says, over real HTTP and a real database. */
import { events, type QuestionAsked, type QuestionRerun, topics } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import { PostgresDatabase, tablesWithoutForcedRls } from '@lacuna/postgres';
import { DATABASE, type RunningService } from '@lacuna/runtime';
import { anIdentifier, aQuestionRerun, eventsOn, eventually, freshId } from '@lacuna/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QUESTION_DEADLINE_MS } from '../src/search/search-worker.js';
import { asked, askedAgain, bench, type Bench, published, toldEnd } from './running-runner.js';
import { aQuestionOf, anHttpRegister, anHttpSource } from './sample-register.js';

const plain = anHttpRegister();
const withTarget = anHttpRegister({ target: { name: 'service-request', kind: 'own-table', policyId: 'service-request-v1' } });

describe('search-runner', () => {
  let runner: Bench;
  let service: RunningService;
  let tenantId: string;
  beforeAll(async () => {
    runner = await bench();
    service = await runner.start();
  });
  beforeEach(() => {
    tenantId = freshId('tenant');
    runner.source.slot = () => ({});
    runner.source.items.clear();
  });
  afterAll(() => runner.close());

  const questionOf = (register: Register, reference = 'SR-1', changes: Partial<QuestionAsked> = {}) => {
    const identifiers = [anIdentifier({ name: 'account', value: 'acme' }), anIdentifier({ value: reference })];
    return aQuestionOf(register, { tenantId, identifiers, ...changes });
  };
  const search = async (register: Register, changes: Partial<QuestionAsked> = {}) => {
    const question = questionOf(register, 'SR-1', changes);
    await runner.publish(published(tenantId, register), asked(question));
    await runner.ended(1, tenantId);
    return question;
  };
  const endings = async () => (await runner.endsOf(tenantId)).map((end) => `${end.generation}: ${toldEnd(end)}`).sort();
  /** Resolves when so many searches of the tenant wait for their index, without a lease. */
  const putOff = (count: number) => {
    const soon = `clock_timestamp() + interval '1 minute'`;
    const jobs = () => runner.admin.query(`select from job where tenant_id = $1 and leased_until is null and due_at > ${soon}`, [tenantId]);
    return eventually(`${count} searches are put off`, async () => (await jobs()).length === count);
  };
  const askAgain = (questionId: string, changes: Partial<QuestionRerun> = {}) =>
    runner.publish(askedAgain(aQuestionRerun({ tenantId, questionId, ...changes })));

  it('says what it asked before it reads, and reads only what the question’s account has', async () => {
    runner.source.items.set('acme', [{ id: 'r1', reference: 'SR-9' }]);
    const { identifiers } = await search(plain);
    expect(await runner.startsOf(tenantId)).toMatchObject([
      { generation: 1, sources: ['ledger'], identifiers: identifiers.map((each) => ({ ...each, lookup: null })), exclusions: [] },
    ]);
    expect(runner.source.asked.at(-1)).toBe('/requests?account=acme&limit=2');
    expect(await endings()).toEqual(['1: ledger end-signalled 1']);
  });

  it('numbers generations in topic order, and leaves out in all later ones what a reviewer called different', async () => {
    runner.source.items.set('acme', [{ id: 'r1', reference: 'SR-1' }, { id: 'r2', reference: 'SR-8' }, { id: 'r3', reference: 'SR-9' }]); // prettier-ignore
    const { questionId } = await search(plain);
    const [row] = (await runner.pagesOf(tenantId))[0]?.rows ?? [];
    const exclusion = { source: 'ledger', recordId: 'r1', version: '1', digest: row?.digest ?? '' };
    await askAgain(questionId, { exclusions: [exclusion] });
    await askAgain(questionId);
    await runner.ended(3, tenantId);
    expect(await endings()).toEqual(['1: ledger match-found 1', '2: ledger end-signalled 2', '3: ledger end-signalled 2']);
    expect((await runner.startsOf(tenantId)).map(({ exclusions }) => exclusions.length).sort()).toEqual([0, 1, 1]);
  });

  it('waits for a register that is published after the question', async () => {
    await runner.publish(asked(questionOf(plain)));
    await runner.handled();
    expect(await runner.startsOf(tenantId)).toEqual([]);
    await runner.publish(published(tenantId, plain));
    await runner.ended(1, tenantId);
    expect(await endings()).toEqual(['1: ledger end-signalled 1']);
  });

  it('ends a search whose register never comes, and tells its question’s owner; fails when such a job goes round for ever', async () => {
    await runner.publish(asked(questionOf(plain)));
    await runner.handled();
    await runner.age(QUESTION_DEADLINE_MS);
    const [end] = await runner.ended(1, tenantId);
    expect(end?.sources).toEqual([]);
    const stalled = (await eventsOn(runner.log, topics.deliveries)).map((event) => event.data);
    expect(stalled).toContainEqual(expect.objectContaining({ tenantId, group: 'search-runner', reason: 'register-unknown' }));
  });

  it('ends a search with a register that no event can carry; fails when such a job goes round for ever', async () => {
    const broken = { ...plain, sources: null } as unknown as Register;
    const [end] = await search({ ...broken, hash: 'f'.repeat(64) }).then(() => runner.endsOf(tenantId));
    expect(end?.sources).toEqual([]);
  });

  it('ends as budget-time what was not read when the question’s time is up', async () => {
    const lagging = anHttpRegister({ sources: [anHttpSource({ lagMaxMs: 600_000 })], freshnessMs: 900_000 });
    await runner.publish(published(tenantId, lagging), asked(questionOf(lagging)));
    await putOff(1);
    await runner.age(QUESTION_DEADLINE_MS);
    await runner.expireLeases();
    await runner.ended(1, tenantId);
    expect(await endings()).toEqual(['1: ledger budget-time 0']);
  });

  it('gives its lease back while it waits for an index; fails when 32 waiting searches keep all others out', async () => {
    const lagging = anHttpRegister({ sources: [anHttpSource({ lagMaxMs: 300_000 })], freshnessMs: 600_000 });
    const waiting = Array.from({ length: 33 }, (_, index) => asked(questionOf(lagging, `SR-${index}`)));
    await runner.publish(published(tenantId, lagging), ...waiting);
    await putOff(33);
    await search(plain);
    expect(await endings()).toEqual(['1: ledger end-signalled 1']);
    await runner.admin.query('delete from job');
  });

  describe('of a register with controls', () => {
    const known = (recordId: string, reference: string) => ({ source: 'ledger', recordId, identifiers: { account: 'known', reference } });
    const controls = { ageMaxMs: 3_600_000, records: [known('c1', 'C-1'), known('c2', 'C-2')] };
    const controlled = anHttpRegister({ controls });
    const present = [
      { id: 'c1', reference: 'C-1' },
      { id: 'c2', reference: 'C-2', status: 'closed' },
    ];

    it('waits for their first check and carries its results; fails when a question that is asked early holds for nothing', async () => {
      runner.source.items.set('known', present);
      await search(controlled);
      const [started] = await runner.startsOf(tenantId);
      expect(started?.controls.map(({ source, result }) => `${source} ${result}`)).toEqual(['ledger found', 'ledger found']);
      expect((await runner.verdictOn(controlled, tenantId)).verdict).toBe('scoped-no-match');
    });

    it('holds when one is not found; fails when a search that finds nothing at all supports a no-match', async () => {
      runner.source.items.set('known', present.slice(0, 1));
      await search(controlled);
      const decision = await runner.verdictOn(controlled, tenantId);
      expect([decision.verdict, decision.reasons.map(({ code }) => code)]).toEqual(['evidence-hold', ['control-stale']]);
    });

    it('checks them beside the questions, never for each; fails when every question costs a source two more', async () => {
      runner.source.items.set('known', present);
      const { questionId } = await search(controlled);
      const checks = () => runner.source.asked.filter((path) => path.includes('account=known')).length;
      const before = checks();
      await askAgain(questionId);
      await askAgain(questionId);
      await runner.ended(3, tenantId);
      expect(checks()).toBe(before);
    });
  });

  it('names a source that cannot be reached, after the register’s attempts', async () => {
    await search(anHttpRegister({ sources: [anHttpSource({}, { url: { env: 'LACUNA_SOURCE_NOT_SET' } })] }));
    expect((await runner.endsOf(tenantId))[0]?.sources[0]).toMatchObject({ stopReason: 'source-unavailable', attempts: 3, pages: 0 });
  });

  it.each([
    ['reads its slot last', () => ({}), 'end-signalled 1', []],
    ['sees its own record', () => ({ state: 'settled', recordId: 'rec-1', status: 'open' }), 'end-signalled 1', ['rec-1']],
    ['has a reason when write-guard is not ready', null, 'source-unavailable 0', []],
    ['has a reason when write-guard answers nonsense', () => ({ state: 'gone' }), 'response-invalid 0', []],
  ])('%s', async (_, slot, stop, recordIds) => {
    runner.source.slot = slot;
    await search(withTarget);
    expect(await endings()).toEqual([`1: ledger end-signalled 1, own-writes ${stop}`]);
    const rows = (await runner.pagesOf(tenantId)).filter((page) => page.source === 'own-writes').flatMap((page) => page.rows);
    expect(rows.map(({ recordId }) => recordId)).toEqual(recordIds);
  });

  it('keeps tenants apart: every table with their data has forced row-level security, and a transaction sees its own tenant only', async () => {
    await search(plain);
    // The counters of source_rate belong to sources, and their keys are digests.
    expect(await tablesWithoutForcedRls(runner.database, 'search_runner')).toEqual(['source_rate']);
    const database = service.app.get<PostgresDatabase>(DATABASE);
    const seen = (actingFor: string) =>
      database.transaction(async (tx) => {
        await tx.actFor(actingFor);
        const counts: number[] = [];
        for (const table of ['question', 'generation', 'register_version'])
          counts.push((await tx.query(`select tenant_id from ${table}`)).length);
        return counts;
      });
    expect(await seen(freshId('tenant'))).toEqual([0, 0, 0]);
    expect(await seen(tenantId)).toEqual([1, 1, 1]);
  });

  it('searches two tenants’ questions of one id apart; fails when a job or a generation of one is taken for the other’s', async () => {
    const other = freshId('tenant');
    const questionId = freshId('question');
    await search(plain, { questionId });
    await runner.publish(published(other, plain), asked({ ...questionOf(plain), tenantId: other, questionId }));
    await runner.ended(1, other);
    expect([await runner.endsOf(tenantId), await runner.endsOf(other)].map((ends) => ends.length)).toEqual([1, 1]);
  });

  it('sends a rerun of a question that was never asked to the dead letters, and tells it', async () => {
    const questionId = freshId('question');
    await askAgain(questionId);
    await runner.handled();
    const stalled = (await eventsOn(runner.log, topics.deliveries)).filter((event) => event.type === events.deliveryStalled.type);
    expect(stalled.map((event) => event.data)).toContainEqual(expect.objectContaining({ questionId, group: 'search-runner' }));
  });
});
