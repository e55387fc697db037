import { describe, expect, it } from 'vitest';
import { parseListQuery, writeCursor } from './list-query.js';

const parse = (query: string) => parseListQuery(new URLSearchParams(query));
const position = { account: 'ACC-1', page: 3, after: 'SR-0000100', seenRows: 100, second: { after: 'SR-0000050', seenRows: 50 } };

describe('the parameters of a listing', () => {
  it.each([
    ['', { mode: 'page', account: null, page: 1, limit: 50 }],
    ['account=ACC-1&page=3&per_page=20', { mode: 'page', account: 'ACC-1', page: 3, limit: 20 }],
    ['offset=40&limit=20', { mode: 'offset', offset: 40, limit: 20, page: 3 }],
    ['account=ACC-1&limit=20', { mode: 'cursor', page: 1, limit: 20, position: { after: '', page: 1 } }],
  ])('%s choose the way of paging; fails when one way is taken for another', (query, expected) => {
    expect(parse(query)).toMatchObject(expected);
  });

  it('take a cursor back as it was given; fails when a continuation loses its place', () => {
    expect(parse(`account=ACC-1&limit=50&cursor=${writeCursor(position)}`)).toMatchObject({ mode: 'cursor', page: 3, position });
  });

  it.each([
    'page=0',
    'page=x',
    'page=1.5',
    'per_page=501',
    'per_page=0',
    'offset=-1',
    'limit=',
    'page=1&page=2',
    'page=1&offset=0',
    'page=1&cursor=x',
    'offset=0&cursor=x',
    'acount=ACC-1',
    'cursor=x',
    'cursor=W10',
    `account=ACC-2&cursor=${writeCursor(position)}`,
  ])('%s are refused; fails when a wrong parameter is answered with other rows than meant', (query) => {
    expect(() => parse(query)).toThrow();
  });
});
