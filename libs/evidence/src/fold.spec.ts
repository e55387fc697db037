import { describe, expect, it } from 'vitest';
import { aGeneration, aRegister, aRow, cleanRead, evidenceOf, hashOf } from '../test/builders.js';
import { foldGeneration, type SearchEvent } from './fold.js';

const events = aGeneration(aRegister(), [cleanRead('crm', [{}, {}, {}])]);
const [started, first, second, third, ended] = events as [SearchEvent, SearchEvent, SearchEvent, SearchEvent, SearchEvent];
const intact = (log: readonly SearchEvent[]): boolean => evidenceOf(log).chainIntact;
const changed = (event: SearchEvent, over: object): SearchEvent => ({ ...event, data: { ...event.data, ...over } }) as SearchEvent;
const rehashed = (event: SearchEvent, over: object): SearchEvent => {
  const page = changed(event, over) as Extract<SearchEvent, { type: 'page.read' }>;
  return { ...page, data: { ...page.data, hash: hashOf(page.data) } };
};

describe('foldGeneration', () => {
  it('gives the events of a whole generation', () => {
    expect(evidenceOf(events)).toMatchObject({ started: started.data, ended: ended.data, chainIntact: true });
    expect(evidenceOf(events).pages).toHaveLength(3);
  });

  it('drops repetitions, and ignores what comes after the first end: at-least-once delivery changes nothing', () => {
    const late = rehashed(third, { rows: [aRow()] });
    const again = [started, started, first, second, first, second, third, third, ended, changed(ended, { sources: [] }), late];
    expect(evidenceOf(again)).toEqual(evidenceOf(events));
  });

  it('is a search without an end as long as none was logged', () => expect(evidenceOf([started, first, second]).ended).toBeNull());

  it.each<[string, readonly SearchEvent[]]>([
    ['a page is lost', [started, first, third, ended]],
    ['the first page is lost', [started, second, third, ended]],
    ['pages come in another order', [started, second, first, third, ended]],
    ['a page comes before the start', [first, started, second, third, ended]],
    ['a page was changed', [started, first, changed(second, { records: 0 }), third, ended]],
    ['a page was changed and hashed again', [started, first, rehashed(second, { records: 0 }), third, ended]],
    ['a page is repeated with other bytes', [started, first, second, rehashed(second, { records: 0 }), third, ended]],
    ['a page is repeated with other bytes under its old hash', [started, first, second, changed(second, { records: 0 }), third, ended]],
    ['a page names another source within its attempt', [started, first, rehashed(second, { source: 'erp' }), ended]],
    ['the start is repeated with other content', [started, changed(started, { generation: 2 }), first, second, third, ended]],
    [
      'an event of another kind is among them',
      [started, first, second, third, { ...first, type: 'page.guessed' } as unknown as SearchEvent, ended],
    ],
  ])('the chain is broken when %s', (_why, log) => expect(intact(log)).toBe(false));

  it('two pages of equal text but other key order are one event', () => {
    const reordered = { ...started, data: Object.fromEntries(Object.entries(started.data).reverse()) } as SearchEvent;
    expect(intact([started, reordered, first, second, third, ended])).toBe(true);
  });

  it('hashes what the caller logged, not only what the core reads', () => {
    const logged = { ...evidenceOf(events).pages[0]!, bodySha256: 'x' };
    const seen: string[] = [];
    foldGeneration([{ type: 'page.read', data: logged }], (page) => `${seen.push(page.bodySha256)}`);
    expect(seen).toEqual(['x']);
  });
});
