/** Which cases are opened and closed, and which holds are asked again, on PostgreSQL with the Postgres log. */
import { type EncodedEvent, events, type VerdictReached } from '@lacuna/events';
import type { EventLog } from '@lacuna/messaging';
import { openDatabase, PostgresEventLog, tablesWithoutForcedRls } from '@lacuna/postgres';
import {
  aDeliveryCleared,
  aDeliveryStalled,
  aMatchReview,
  anEvidenceHold,
  aNamedRecord,
  aQuestionAsked,
  aRegister,
  aRegisterPublished,
  aReviewDecided,
  aVerdictReached,
  freshId,
} from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotifierBench, told, until } from './running-notifier.js';

let bench: NotifierBench;
beforeAll(async () => {
  bench = await NotifierBench.open();
  await bench.start();
});
afterAll(() => bench.close());

const reach = (...verdicts: VerdictReached[]) => bench.tell(...verdicts.map((verdict) => told(events.verdictReached, verdict)));
const openedOf = ({ questionId }: { questionId: string }) => bench.published(events.caseOpened, questionId);
const closedOf = async ({ questionId }: { questionId: string }) =>
  (await bench.published(events.caseClosed, questionId)).map(({ caseId, outcome }) => [caseId, outcome]);
const rerunsOf = ({ questionId }: { questionId: string }) => bench.published(events.questionRerun, questionId);
const jobsLeft = async (queue: string) => (await bench.rows('select key from job where queue = $1', [queue])).length;
const aHold = (changes: Partial<VerdictReached> = {}) => anEvidenceHold({ healsByWaiting: false, ...changes });

describe('a verdict that needs a person', () => {
  it('opens one case for its owner, with the records to compare, however often it is told', async () => {
    const verdict = aMatchReview({ matches: [aNamedRecord(), aNamedRecord()] });
    await reach(verdict, verdict);
    await reach(verdict);
    expect(await openedOf(verdict)).toMatchObject([
      { subject: 'match-review', owner: verdict.owner, records: verdict.matches, receiptId: verdict.receiptId, generation: 1 },
    ]);
  });

  it('is none when nothing matches: a case for each no-match would bury the others', async () => {
    const verdict = aVerdictReached();
    await reach(verdict);
    expect(await openedOf(verdict)).toEqual([]);
  });

  it('is shown to its own tenant only', async () => {
    const questionId = freshId('question');
    const [one, other] = [aHold({ questionId }), aHold({ questionId })];
    await reach(one, other);
    const opened = await openedOf({ questionId });
    expect(new Set(opened.map(({ tenantId }) => tenantId))).toEqual(new Set([one.tenantId, other.tenantId]));
    expect(new Set(opened.map(({ caseId }) => caseId)).size).toBe(2);
  });
});

describe('a newer verdict', () => {
  it('closes the case of an older one as superseded, and opens its own', async () => {
    const first = aHold();
    await reach(first);
    await reach({ ...first, generation: 2, verdict: 'match-review', matches: [aNamedRecord()] });
    const [one, two] = await openedOf(first);
    expect([one?.generation, two?.generation]).toEqual([1, 2]);
    expect(await closedOf(first)).toEqual([[one?.caseId, 'superseded']]);
  });

  it('that needs nobody closes the case of an older one', async () => {
    const first = aHold();
    await reach(first);
    await reach({ ...aVerdictReached(), tenantId: first.tenantId, questionId: first.questionId, generation: 2 });
    expect((await closedOf(first)).map(([, outcome]) => outcome)).toEqual(['superseded']);
  });

  it('in the same batch leaves the older one no case: else it would stay open for ever', async () => {
    const first = aHold();
    await reach(first, { ...first, generation: 2, verdict: 'scoped-no-match' });
    expect(await openedOf(first)).toEqual([]);
    await reach(first);
    expect(await openedOf(first), 'an older verdict that is repeated').toEqual([]);
  });
});

describe('a person’s decision', () => {
  it.each(['same', 'different', 'rerun'] as const)('%s closes the case, once', async (decision) => {
    const verdict = aMatchReview();
    await reach(verdict);
    const [opened] = await openedOf(verdict);
    const { tenantId, questionId } = verdict;
    const decided = told(events.reviewDecided, aReviewDecided({ tenantId, questionId, caseId: opened?.caseId ?? '', decision }));
    await bench.tell(decided, decided);
    await bench.tell(decided);
    expect(await closedOf(verdict)).toEqual([[opened?.caseId, decision]]);
  });

  it('on a case of another tenant changes nothing', async () => {
    const verdict = aMatchReview();
    await reach(verdict);
    const [opened] = await openedOf(verdict);
    await bench.tell(told(events.reviewDecided, aReviewDecided({ questionId: verdict.questionId, caseId: opened?.caseId ?? '' })));
    expect(await closedOf(verdict)).toEqual([]);
  });
});

describe('a hold whose every reason heals by waiting', () => {
  const healing = (autoReruns: number, autoRerunDelayMs = 0) => {
    const register = aRegister({ holds: { autoReruns, autoRerunDelayMs }, version: freshId('v').slice(0, 20) });
    const verdict = anEvidenceHold({ registerHash: register.hash });
    return { verdict, published: told(events.registerPublished, aRegisterPublished({ tenantId: verdict.tenantId }, register)) };
  };

  it('is asked again as often as the register says, then becomes one case', async () => {
    const { verdict, published } = healing(2);
    await bench.tell(published);
    for (const generation of [1, 2, 3]) {
      await reach({ ...verdict, generation }, { ...verdict, generation });
      await until(`generation ${generation} is worked`, async () => (await jobsLeft('hold')) === 0);
    }
    expect((await rerunsOf(verdict)).map(({ causeId, cause }) => [causeId, cause])).toEqual([
      ['auto.1', 'heals-by-waiting'],
      ['auto.2', 'heals-by-waiting'],
    ]);
    expect(await openedOf(verdict)).toMatchObject([{ generation: 3, subject: 'evidence-hold' }]);
  });

  it('is asked again once though its verdict is repeated after the rerun', async () => {
    const { verdict, published } = healing(2);
    await bench.tell(published);
    for (let repeated = 0; repeated < 3; repeated += 1) {
      await reach(verdict);
      await until('the hold is worked', async () => (await jobsLeft('hold')) === 0);
    }
    expect(await rerunsOf(verdict)).toHaveLength(1);
    expect(await openedOf(verdict)).toEqual([]);
  });

  it('becomes a case at once where the register allows no rerun, without its delay', async () => {
    const { verdict, published } = healing(0, 3_600_000);
    await bench.tell(published);
    await reach(verdict);
    await until('the case is open', async () => (await openedOf(verdict)).length === 1);
    expect(await rerunsOf(verdict)).toEqual([]);
  });

  it('waits for its register when that comes later', async () => {
    const { verdict, published } = healing(1);
    await reach(verdict);
    await bench.tell(published);
    await until('it is asked again', async () => (await rerunsOf(verdict)).length === 1);
  });

  it('ends without a rerun or a case when a newer verdict came while it waited for its time', async () => {
    const { verdict, published } = healing(1, 3_600_000);
    await bench.tell(published);
    await reach({ ...verdict, decidedAt: new Date().toISOString() });
    await until('it waits for its time', async () => {
      const [job] = await bench.rows<{ due: boolean }>(`select due_at > now() + interval '50 min' as due from job where queue = 'hold'`);
      return job?.due === true;
    });
    await reach({ ...aVerdictReached(), tenantId: verdict.tenantId, questionId: verdict.questionId, generation: 2 });
    await bench.rows(`update register_version set register = jsonb_set(register::jsonb, '{holds,autoRerunDelayMs}', '0')::json
      where tenant_id = '${verdict.tenantId}'`);
    await bench.rows(`update job set due_at = now() where queue = 'hold'`);
    await until('the hold is worked', async () => (await jobsLeft('hold')) === 0);
    expect([await rerunsOf(verdict), await openedOf(verdict)]).toEqual([[], []]);
  });
});

describe('a stalled delivery', () => {
  it('opens a case for the register’s owner, one per message, that its clearing closes', async () => {
    const register = aRegister({ owner: { name: 'night desk', contact: 'night@example.org' } });
    const asked = aQuestionAsked({ registerHash: register.hash });
    const { tenantId, questionId } = asked;
    const known = [told(events.registerPublished, aRegisterPublished({ tenantId }, register)), told(events.questionAsked, asked)];
    await bench.tell(...known);
    const stalled = [7, 8].map((offset) => aDeliveryStalled({ tenantId, questionId, message: `lacuna.searches.v1/0/${offset}` }));
    await bench.tell(...[...stalled, ...stalled].map((one) => told(events.deliveryStalled, one)));
    const opened = await openedOf(asked);
    expect(opened).toMatchObject([
      { subject: 'delivery-stalled', owner: 'night desk', receiptId: null },
      { subject: 'delivery-stalled', owner: 'night desk' },
    ]);
    await bench.tell(told(events.deliveryCleared, aDeliveryCleared({ tenantId, questionId, message: 'lacuna.searches.v1/0/7' })));
    expect(await closedOf(asked)).toEqual([[opened[0]?.caseId, 'cleared']]);
  });

  it('is not closed by a newer verdict: the message still lies there', async () => {
    const stalled = aDeliveryStalled();
    const { tenantId, questionId } = stalled;
    await bench.tell(told(events.deliveryStalled, stalled));
    await reach(aVerdictReached({ tenantId, questionId, generation: 5 }));
    expect(await openedOf(stalled)).toMatchObject([{ owner: 'operator', registerName: 'unknown' }]);
    expect(await closedOf(stalled)).toEqual([]);
  });
});

describe('the tables of notifier', () => {
  it('all force row-level security, but for the queue tables', async () => {
    expect(await tablesWithoutForcedRls(bench.admin, 'notifier')).toEqual([]);
    const [table] = await bench.rows(`select from pg_class where oid = 'notifier.case_file'::regclass`);
    expect(table).toBeDefined();
  });
});

describe('a crash after the commit and before the publish', () => {
  it('leaves the case to the next owner: opened once, and its event is published', async () => {
    const verdict = aHold();
    let tries = 0;
    await bench.stop();
    const dying = await outsideLog(() => {
      tries += 1;
      throw new Error('the broker does not answer');
    });
    const first = await bench.start({ log: dying.log });
    await bench.log.publish([told(events.verdictReached, verdict)]);
    await until('the case is committed and its publish has failed', async () => tries > 0);
    expect(await openedOf(verdict)).toEqual([]);
    const stopped = first.stop();
    const next = await outsideLog(() => undefined);
    await bench.start({ log: next.log });
    await until('the next owner has published what was left', async () => (await openedOf(verdict)).length > 0);
    await stopped;
    await bench.handled();
    expect(await openedOf(verdict)).toHaveLength(1);
    await bench.stop();
    await Promise.all([dying.close(), next.close()]);
  });
});

/** A log that is not in the service's database, as Kafka is not: events go through the outbox. `publishing` may fail them. */
async function outsideLog(publishing: () => void): Promise<{ log: EventLog; close: () => Promise<void> }> {
  const database = await openDatabase({ url: bench.fresh.url, schema: 'notifier', applicationName: 'outside log', poolMax: 4 });
  const inside = new PostgresEventLog(database);
  const log = new Proxy<EventLog>(inside, {
    get(target, member) {
      if (member === 'appendIn') return null;
      if (member === 'publish')
        return async (messages: readonly EncodedEvent[]) => {
          publishing();
          await inside.publish(messages);
        };
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  await log.start();
  const close = async () => {
    await inside.stop();
    await database.close();
  };
  return { log, close };
}
