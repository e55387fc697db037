import type pg from 'pg';
import type { Answer } from './answer.js';
import { problemAnswer } from './answer.js';
import type { Fault, FaultTarget } from './fault.js';
import { parseListQuery, refuseUnknown, wholeNumber } from './list-query.js';
import { changeListing } from './listing-faults.js';
import { listingBody, readListing, readRecord, search } from './listing.js';
import { BadRequest } from './problem.js';

const HITS_MAX = 50;
const HITS_DEFAULT = 20;

/** One read: what was asked for, the right answer, and what a fault would make of it. */
export interface Reading {
  target: FaultTarget;
  answer: Answer;
  changed: (fault: Fault) => Answer | undefined;
}

export async function route(pool: pg.Pool, { pathname, searchParams }: URL): Promise<Reading | undefined> {
  if (searchParams.toString().includes('%00')) throw new BadRequest('no parameter may hold a zero byte');
  if (pathname === '/requests') return listRequests(pool, searchParams);
  if (pathname === '/search') return searchRequests(pool, searchParams);
  const id = /^\/requests\/([A-Za-z0-9._-]{1,64})$/.exec(pathname)?.[1];
  return id === undefined ? undefined : showRequest(pool, id);
}

async function listRequests(pool: pg.Pool, parameters: URLSearchParams): Promise<Reading> {
  const query = parseListQuery(parameters);
  const listing = await readListing(pool, query);
  return {
    target: { path: 'list', account: query.account, reference: null, page: query.page },
    answer: json(listingBody(query, listing)),
    changed: (fault) => {
      const other = changeListing(fault, listing, query);
      return other && json(listingBody(query, other));
    },
  };
}

async function showRequest(pool: pg.Pool, id: string): Promise<Reading> {
  const item = await readRecord(pool, id);
  return {
    target: { path: 'record', account: item?.account ?? null, reference: null, page: 1 },
    answer: item ? json(item) : problemAnswer(404, `There is no request ${id}.`),
    changed: () => undefined,
  };
}

async function searchRequests(pool: pg.Pool, parameters: URLSearchParams): Promise<Reading> {
  refuseUnknown(parameters, ['q', 'account', 'limit']);
  const q = parameters.get('q');
  if (!q) throw new BadRequest('q is missing');
  const account = parameters.get('account');
  const hits = await search(pool, { q, account, limit: wholeNumber(parameters, 'limit', HITS_DEFAULT, 1, HITS_MAX) });
  return {
    target: { path: 'search', account, reference: q, page: 1 },
    answer: json({ hits }),
    changed: ({ kind }) => (kind === 'silent-search' && hits.length > 0 ? json({ hits: [] }) : undefined),
  };
}

function json(body: unknown): Answer {
  return { status: 200, body: JSON.stringify(body) };
}
