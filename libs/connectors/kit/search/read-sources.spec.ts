import { afterNoon, aRegister, aRegisterWithTarget, aSourceRule, freshId } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { aFailure, aMatch, aPage, aRow, search, told } from '../../test/scripted-search.js';
import { UnfitPageError } from './attempt-record.js';
import { startDelayMs } from './read-sources.js';

const two = [aSourceRule({ name: 'ledger' }), aSourceRule({ name: 'archive' })];
const paged = aRegister({ sources: [aSourceRule({ drift: 'keyset' })] });
const down = aFailure('source-unavailable');

describe('reading one source', () => {
  it('publishes each page before the next is asked for; fails when a crash could lose a page that was built upon', async () => {
    const script = { ledger: [[aPage([aRow({ recordId: 'a' })], { cursor: 'c1' }), aPage([aRow({ recordId: 'b' })])]] };
    const { steps } = await search({ register: paged, script });
    expect(steps).toEqual(['read ledger', 'publish ledger 0', 'read ledger', 'publish ledger 1', 'close ledger']);
  });

  it('tries again where that can help, in a new attempt that joins nothing of the old one', async () => {
    const script = { ledger: [[aPage([aRow()], { cursor: 'c1' }), down], [aPage([aRow()])]] };
    const searched = await search({ register: paged, script });
    expect(told(searched)).toEqual(['ledger end-signalled 1/2']);
    expect(searched.ended[0]).toMatchObject({ attemptId: 'ledger.2', pagesOfAllAttempts: 2 });
    expect(searched.pages.map(({ attemptId, sequence }) => `${attemptId} ${sequence}`)).toEqual(['ledger.1 0', 'ledger.2 0']);
    expect(searched.pages[1]?.previousHash).toBe('0'.repeat(64));
  });

  it('waits longer between attempts each time, and gives up after the register’s count with the last reason', async () => {
    const searched = await search({ script: { ledger: [[down], [down], [down]] } });
    expect(searched.steps.filter((step) => step.startsWith('sleep'))).toEqual(['sleep 200', 'sleep 400']);
    expect(told(searched)).toEqual(['ledger source-unavailable 0/3']);
  });

  it.each([
    ['as long as the source asks, if the register allows it', 20_000, ['sleep 20000'], 'ledger end-signalled 1/2'],
    ['not at all, if the source asks for longer than that', 40_000, [], 'ledger rate-limited 0/1'],
  ])('waits %s', async (_, retryAfterMs, sleeps, ended) => {
    const searched = await search({ script: { ledger: [[aFailure('rate-limited', { retryAfterMs })], [aPage()]] } });
    expect(searched.steps.filter((step) => step.startsWith('sleep'))).toEqual(sleeps);
    expect(told(searched)).toEqual([ended]);
  });

  it('does not repeat what a repetition cannot help', async () => {
    expect(told(await search({ script: { ledger: [[aFailure('source-forbidden')]] } }))).toEqual(['ledger source-forbidden 0/1']);
  });

  it('ends with its budget', async () => {
    const budget = { pagesMax: 1, recordsMax: 10, bytesMax: 10_000, elapsedMsMax: 60_000 };
    const script = { ledger: [[aPage([aRow()], { cursor: 'c1' })]] };
    expect(told(await search({ register: paged, started: { budget }, script }))).toEqual(['ledger budget-pages 1/1']);
  });

  it('stops at a match, and does not repeat a read that failed behind one', async () => {
    const script = { ledger: [[aPage([aMatch()], { cursor: 'c1' })]] };
    expect(told(await search({ register: paged, script }))).toEqual(['ledger match-found 1/1']);
    const failing = { ledger: [[aPage([aMatch()], { cursor: 'c1' }), down]] };
    expect(told(await search({ register: paged, started: { kind: 'gone' }, script: failing }))).toEqual(['ledger source-unavailable 1/1']);
  });

  it('goes on behind a match where all are wanted, and repeats a read that failed there; fails when a count stays unclaimed for one hiccup', async () => {
    const first = aPage([aMatch()], { cursor: 'c1' });
    const script = {
      ledger: [
        [first, down],
        [first, aPage([aRow()])],
      ],
    };
    const searched = await search({ register: paged, started: { kind: 'enumerate' }, script });
    expect(told(searched)).toEqual(['ledger end-signalled 2/2']);
  });

  it('does not stop at a record that a reviewer called different', async () => {
    const { pages } = await search({ register: paged, script: { ledger: [[aPage([aMatch()])]] } });
    const exclusions = [{ source: 'ledger', recordId: 'found', version: '1', digest: pages[0]?.rows[0]?.digest ?? '' }];
    const script = { ledger: [[aPage([aMatch()], { cursor: 'c1' }), aPage([aRow()])]] };
    expect(told(await search({ register: paged, started: { exclusions }, script }))).toEqual(['ledger end-signalled 2/1']);
  });

  it('has a reason for a reader that throws, and tells the fault; fails when one source ends the whole search', async () => {
    const boom = [new Error('boom')];
    const script = { ledger: [boom, boom, boom], archive: [[aPage()]] };
    const searched = await search({ register: aRegister({ sources: two }), script });
    expect(told(searched)).toEqual(['ledger source-unavailable 0/3', 'archive end-signalled 1/1']);
    expect(searched.faults).toHaveLength(3);
  });

  it('has a reason for an answer of a reader that is no answer', async () => {
    const searched = await search({ script: { ledger: [[async () => undefined as never]] } });
    expect(told(searched)).toEqual(['ledger unlisted-reason 0/1']);
  });

  it('has a reason for a page that cannot be recorded, and counts only the pages that were recorded', async () => {
    const script = { ledger: Array.from({ length: 3 }, () => [aPage([aRow()], { cursor: 'c1' }), aPage()]) };
    const publishPage = async ({ sequence }: { sequence: number }) => {
      if (sequence === 1) throw new UnfitPageError('too odd');
    };
    const searched = await search({ register: paged, script, publishPage });
    expect(told(searched)).toEqual(['ledger response-invalid 1/3']);
    expect(searched.ended[0]).toMatchObject({ lastHash: searched.pages.at(-1)?.hash, pagesOfAllAttempts: 3 });
  });

  it('fails as a whole when the record does not take a page: no reason is made up', async () => {
    const publishPage = () => Promise.reject(new Error('the log is down'));
    await expect(search({ script: { ledger: [[aPage()]] }, publishPage })).rejects.toThrow('the log is down');
  });

  it('cuts a page with more matching rows than an event takes, and calls it truncated', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => aMatch({ recordId: `r${index}` }));
    const { pages } = await search({ started: { kind: 'enumerate' }, script: { ledger: [[aPage(rows)], [aPage(rows)], [aPage(rows)]] } });
    expect(pages[0]?.rows).toHaveLength(1_000);
    expect(pages[0]?.doubts).toContain('truncated');
  });

  it('cuts a page above 256 KiB; fails when an event is larger than it may be', async () => {
    const rows = Array.from({ length: 900 }, (_, index) => aMatch({ recordId: `${index}`.padStart(500, 'x') }));
    const { pages } = await search({ started: { kind: 'enumerate' }, script: { ledger: [[aPage(rows)], [aPage(rows)], [aPage(rows)]] } });
    expect(Buffer.byteLength(JSON.stringify(pages[0]))).toBeLessThanOrEqual(262_144);
    expect(pages[0]?.doubts).toContain('truncated');
  });
});

describe('reading several sources', () => {
  const target = aRegisterWithTarget({ sources: two });
  const slots = [[aPage()]];

  it('goes in the register’s order, own-writes last', async () => {
    const searched = await search({ register: target, script: { ledger: [[aPage()]], archive: [[aPage()]], 'own-writes': slots } });
    expect(told(searched)).toEqual(['ledger end-signalled 1/1', 'archive end-signalled 1/1', 'own-writes end-signalled 1/1']);
  });

  it('reads all but the last once more where records move both ways, before own-writes; fails when two readings share an attempt', async () => {
    const register = { ...target, moves: { kind: 'both-ways' as const, leastBetweenMovesMs: 60_000 } };
    const script = { ledger: [[aPage()], [aPage()]], archive: [[aPage()]], 'own-writes': slots };
    const searched = await search({ register, script });
    expect(told(searched).map((line) => line.split(' ')[0])).toEqual(['ledger', 'archive', 'ledger', 'own-writes']);
    expect(new Set(searched.ended.map(({ attemptId }) => attemptId)).size).toBe(4);
    const failing = { ledger: [[aPage()]], archive: [[aFailure('source-forbidden')]], 'own-writes': slots };
    expect(told(await search({ register, script: failing })).map((line) => line.split(' ')[0])).toEqual([
      'ledger',
      'archive',
      'own-writes',
    ]);
    const moved = { ledger: [[aPage()], [aPage([aMatch()])]], archive: [[aPage()]] };
    expect(told(await search({ register, script: moved }))).toEqual([
      'ledger end-signalled 1/1',
      'archive end-signalled 1/1',
      'ledger end-signalled 1/1',
      'own-writes match-elsewhere 0/0',
    ]);
  });

  it('asks none behind a match, and says so of each; fails when the rest is left out of search.ended', async () => {
    const searched = await search({ register: target, script: { ledger: [[aPage([aMatch()])]] } });
    expect(told(searched)).toEqual(['ledger end-signalled 1/1', 'archive match-elsewhere 0/0', 'own-writes match-elsewhere 0/0']);
  });

  it('asks all of them where all records are wanted', async () => {
    const script = { ledger: [[aPage([aMatch()])]], archive: [[aPage()]], 'own-writes': slots };
    expect(told(await search({ register: target, started: { kind: 'enumerate' }, script }))[1]).toBe('archive end-signalled 1/1');
  });

  it('reads the others although one fails, and when time is up asks no more', async () => {
    const deadline = new AbortController();
    const stopping = async () => {
      deadline.abort();
      return aFailure('timed-out');
    };
    const searched = await search({ register: target, script: { ledger: [[stopping]] }, signal: deadline.signal });
    expect(told(searched)).toEqual(['ledger budget-time 0/1', 'archive budget-time 0/0', 'own-writes budget-time 0/0']);
  });
});

describe('reading a lookup', () => {
  const register = aRegister({
    identifiers: {
      account: { kind: 'scope', normalise: [], lookup: 'accounts' },
      reference: { kind: 'key', normalise: [] },
    },
    sources: [aSourceRule({ name: 'ledger' }), aSourceRule({ name: 'accounts', role: 'lookup' })],
  });
  const found = aRow({ recordId: 'acme', values: { account: 'acme' }, status: 'cancelled' });

  it('comes first, and ends no other reading; fails when an account that was found is taken for the record', async () => {
    const searched = await search({ register, script: { accounts: [[aPage([found], { cursor: 'c1' })]], ledger: [[aPage()]] } });
    expect(told(searched)).toEqual(['accounts match-found 1/1', 'ledger end-signalled 1/1']);
    expect(searched.pages[0]?.rows.map(({ results }) => results)).toEqual([{ account: 'agree' }]);
    expect(searched.pages[0]?.doubts).toEqual([]);
  });

  it('reads on behind another account, also where all records are wanted', async () => {
    const other = aRow({ recordId: 'beta', values: { account: 'beta' } });
    const accounts = [[aPage([other], { cursor: 'c1' }), aPage([found], { cursor: 'c2' })]];
    const searched = await search({ register, started: { kind: 'enumerate' }, script: { accounts, ledger: [[aPage()]] } });
    expect(told(searched)[0]).toBe('accounts match-found 2/1');
  });
});

describe('waiting for a boundary', () => {
  const lagging = (lagMaxMs: number | null) => aRegister({ sources: [aSourceRule({ lagMaxMs })] });
  const script = { ledger: [[aPage()]], archive: [[aPage()]], 'own-writes': [[aPage()]] };
  const sleeps = ({ steps }: { steps: readonly string[] }) => steps.filter((step) => step.startsWith('sleep'));
  /** The search begins 10 s after noon; the clocks may differ by 1 s. */
  const needsAsOf = afterNoon(8_000);

  it('is as long as the index lags, and none when it is seen late enough', async () => {
    expect(sleeps(await search({ register: lagging(5_000), started: { needsAsOf }, script }))).toEqual(['sleep 4000']);
    expect(sleeps(await search({ register: lagging(1_000), started: { needsAsOf }, script }))).toEqual([]);
  });

  it('is not begun where it cannot help or the deadline would cut it: the source is read now, for a match counts at any time', async () => {
    expect(sleeps(await search({ register: lagging(null), started: { needsAsOf }, script }))).toEqual([]);
    const late = await search({ register: lagging(5_000), started: { needsAsOf }, script, leftMs: 3_000 });
    expect([sleeps(late), told(late)]).toEqual([[], ['ledger end-signalled 1/1']]);
  });

  it('comes between sources where records move; own-writes, whose slots do not move, never waits for that', async () => {
    const moves = { kind: 'one-way' } as const;
    const sources = [aSourceRule(), aSourceRule({ name: 'archive', lagMaxMs: 30_000 })];
    const { steps } = await search({ register: aRegisterWithTarget({ moves, sources }), script });
    expect(steps.filter((step) => /^(read|sleep)/.test(step))).toEqual(['read ledger', 'sleep 31000', 'read archive', 'read own-writes']);
  });

  it('before the first read is told beforehand, so that the search can be put off; between sources it is not', () => {
    const sources = [aSourceRule({ lagMaxMs: 5_000 }), aSourceRule({ name: freshId('archive'), lagMaxMs: 60_000 })];
    const nowMs = Date.parse(afterNoon(10_000));
    expect(startDelayMs(aRegister({ sources }), needsAsOf, nowMs)).toBe(59_000);
    expect(startDelayMs(aRegister({ sources, moves: { kind: 'one-way' } }), needsAsOf, nowMs)).toBe(4_000);
  });
});
