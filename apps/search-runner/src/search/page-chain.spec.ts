import type { AttemptPage } from '@lacuna/connectors';
import { decodeEvent, encodeEvent, events, type PageRead } from '@lacuna/events';
import { foldGeneration, type SearchEvent } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { aMatchingRow, aPageRead, aSearchStarted, FIRST_HASH } from '@lacuna/testing';
import { describe, expect, it } from 'vitest';
import { linkedPage } from './page-chain.js';

const owner = { tenantId: 't1', questionId: 'q1', generation: 1 };
const attemptId = 'q1.1.ledger.1.1';

const anAttemptPage = (changes: Partial<PageRead> = {}): AttemptPage => {
  const page: Record<string, unknown> = { ...aPageRead(changes) };
  for (const name of [...Object.keys(owner), 'attemptId', 'previousHash', 'hash']) delete page[name];
  return page as unknown as AttemptPage;
};

const chained = (...pages: AttemptPage[]): PageRead[] => {
  const linked: PageRead[] = [];
  for (const page of pages) linked.push(linkedPage(owner, page, { attemptId, previousHash: linked.at(-1)?.hash ?? FIRST_HASH }));
  return linked;
};

/** What a consumer of the log has. */
const received = (page: PageRead): PageRead => {
  const outcome = decodeEvent(encodeEvent(events.pageRead, page, 'search-runner'));
  if (!outcome.ok) throw new Error(outcome.detail);
  return outcome.event.data as PageRead;
};

const hashOf = ({ hash: _hash, ...rest }: PageRead): string => sha256Hex(canonicalJson(JSON.parse(JSON.stringify(rest))));

const isIntact = (pages: readonly PageRead[]): boolean => {
  const started = { type: 'search.started', data: aSearchStarted() } as const;
  const read = pages.map((data) => ({ type: 'page.read', data }) as unknown as SearchEvent<PageRead & SearchEvent['data']>);
  return foldGeneration([started as never, ...read], hashOf as never).chainIntact;
};

describe('a chain of page reads', () => {
  const pages = chained(
    anAttemptPage({ sequence: 0, end: 'continues', stop: null, remarks: { in_recovery: false } }),
    anAttemptPage({ sequence: 1, rows: [aMatchingRow()] }),
  );

  it('begins at 64 zeros, and each page names the one before it', () => {
    expect(pages.map((page) => page.previousHash)).toEqual([FIRST_HASH, pages[0]?.hash]);
  });

  it('has hashes that a consumer recomputes from what the log gives; fails when encoding changes what was hashed', () => {
    expect(pages.map(received).map(hashOf)).toEqual(pages.map((page) => page.hash));
    expect(isIntact(pages.map(received))).toBe(true);
  });

  it.each([
    ['a changed count', pages.map((page) => ({ ...page, records: page.records + 1 }))],
    ['a dropped page', pages.slice(1)],
    ['two pages in the wrong order', [...pages].reverse()],
    ['a page of another attempt in between', [pages[0], { ...pages[1], attemptId: 'q1.1.ledger.2.1' }] as PageRead[]],
  ])('is broken by %s', (_, broken) => {
    expect(isIntact(broken)).toBe(false);
  });

  it('writes what a source leaves empty as none; fails when an empty status or version makes a page that no event can carry', () => {
    const [page] = chained(anAttemptPage({ rows: [aMatchingRow({ version: '', status: '', followedTo: '' })] }));
    expect(received(page as PageRead).rows[0]).toMatchObject({ version: null, status: null, followedTo: null });
  });
});
