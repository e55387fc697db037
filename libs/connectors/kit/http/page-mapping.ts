/** An HTTP answer read by its continuation contract: rows, end, totals, flags, caps, order. */
import type { ReasonCode, SourceRow } from '@lacuna/evidence';
import type { HttpConnect, HttpRecordMap } from '../register/connect.js';
import type { PageResponse } from '../source-reader.js';
import { rowProblem } from '../source-row.js';
import { type Answer, AnswerUnreadable, valueOf } from './answer.js';
import { flagReasons, type Sent } from './answer-flags.js';
import { behindPage, capReasons, type CapFacts } from './caps.js';
import { continuationOf, type Position } from './continuation.js';
import { textOf, valueAt, type Json } from './exact-json.js';
import type { OrderCheck } from './order-check.js';
import { endTotalReasons, totalOf } from './totals.js';
import { watermarkOf } from './watermark.js';

export interface MappedPage {
  readonly rows: readonly SourceRow[];
  readonly end: PageResponse['observed']['end'];
  readonly total: PageResponse['observed']['total'];
  readonly snapshot: string | null;
  readonly watermark: string | null;
  readonly reasons: readonly ReasonCode[];
  /** JSON of what asks for the next page; null when there is none. */
  readonly nextCursor: string | null;
  /** Ids of the last records, as many as the next page may read again. */
  readonly lastIds: readonly string[];
}

/** What a page is read against. */
export interface PassSoFar extends Position {
  readonly pagesBefore: number;
  readonly lastIds: readonly string[];
  readonly order: OrderCheck | null;
  /** The first total of the walk, over both passes. */
  readonly totalBefore: number | null;
}

const scalar = (json: Json, pointer: string | undefined, what: string): string | null | undefined => {
  if (pointer === undefined) return null;
  const read = textOf(valueAt(json, pointer));
  if (read === 'unreadable') throw new AnswerUnreadable(`${what} is no single value`);
  return read.text;
};

/** Several values are one id as the list of them, so that no two records get the same. */
const idOf = (item: Json, id: HttpRecordMap['id']): string => {
  if (typeof id === 'string') return scalar(item, id, 'an id') ?? '';
  const parts = id.map((pointer) => scalar(item, pointer, 'a part of an id') ?? '');
  return parts.includes('') ? '' : JSON.stringify(parts);
};

/** @throws AnswerUnreadable */
export const rowOf = (item: Json, map: HttpRecordMap): SourceRow => {
  const values: Record<string, string | null | undefined> = {};
  for (const name of Object.keys(map.fields)) values[name] = scalar(item, map.fields[name], name);
  const row: SourceRow = {
    recordId: idOf(item, map.id),
    version: scalar(item, map.version, 'a version') ?? null,
    status: scalar(item, map.status, 'a status') ?? null,
    followedTo: scalar(item, map.followTo, 'the id of a merged record') ?? null,
    values,
  };
  const problem = rowProblem(row);
  if (problem !== null) throw new AnswerUnreadable(problem);
  return row;
};

/** @throws AnswerUnreadable */
export const mapPage = (answer: Answer, connect: HttpConnect, pass: PassSoFar, sent: Sent): MappedPage => {
  const items = itemsOf(answer, connect);
  const overlap = overlapping(items, connect, pass);
  const fresh = overlap.agrees ? items.slice(overlap.records) : items;
  const rows = fresh.map((item) => rowOf(item, connect.record));
  const total = totalOf(answer, connect, pass.cursor === null, pass.recordsBefore);
  const continuation = continuationOf({ answer, connect, position: pass, items, records: rows.length, total });
  const records = pass.recordsBefore + rows.length;
  const snapshot = snapshotOf(answer, connect);
  const watermark = watermarkOf(answer, connect);
  const reasons: ReasonCode[] = [...flagReasons(answer, connect.flags, sent), ...continuation.reasons, ...total.reasons];
  reasons.push(...capReasons(connect.caps, capFacts({ items, records, pass, total: total.count, paging: connect.paging })));
  // The rows of this page alone are more than it says that there are.
  if (total.observed?.relation === 'exact' && total.observed.value < items.length) reasons.push('total-mismatch');
  // One page needs no snapshot, but one that lacks the promised id may lack the next cursor for the same reason.
  if (connect.snapshot !== undefined && snapshot === null && pass.pagesBefore === 0 && continuation.end === 'signalled')
    reasons.push('metadata-missing');
  if (!overlap.agrees) reasons.push('drift-possible');
  if (pass.order?.inOrder(fresh) === false) reasons.push('order-unproven');
  if (connect.watermark !== undefined && watermark === null) reasons.push('replica-lag-unknown');
  if (continuation.end === 'signalled') reasons.push(...endTotalReasons(connect, total, records));
  if (totalChanged(connect, pass, total.count)) reasons.push('total-changed');
  const { end, nextCursor } = continuation;
  return {
    rows,
    end,
    total: total.observed,
    snapshot,
    watermark,
    reasons: [...new Set(reasons)],
    nextCursor,
    lastIds: lastIdsOf(items, connect),
  };
};

const itemsOf = (answer: Answer, { items: pointer, itemsAbsent }: HttpConnect): readonly Json[] => {
  const items = valueAt(answer.json, pointer);
  if ((items === undefined || items === null) && itemsAbsent === 'empty' && isLeftOut(answer.json, pointer)) return [];
  if (!Array.isArray(items)) throw new AnswerUnreadable('the list of records is missing');
  return items as readonly Json[];
};

/** A list is left out of an object that is there; null, a text or another list in its place is another answer. */
const isLeftOut = (json: Json, pointer: string): boolean => {
  const holder = valueAt(json, pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0)));
  return typeof holder === 'object' && holder !== null && !Array.isArray(holder);
};

const overlapMax = ({ paging }: HttpConnect): number => (paging.kind === 'offset' || paging.kind === 'cursor' ? paging.overlap : 0);

/** The first records of a page are the last of the page before; where they are not, something has moved between the two. */
const overlapping = (
  items: readonly Json[],
  connect: HttpConnect,
  { cursor, lastIds }: PassSoFar,
): { readonly agrees: boolean; readonly records: number } => {
  const records = cursor === null ? 0 : Math.min(overlapMax(connect), lastIds.length);
  const first = items.slice(0, records).map((item) => rowOf(item, connect.record).recordId);
  return { agrees: first.length === records && first.every((id, at) => id === lastIds[at]), records };
};

const lastIdsOf = (items: readonly Json[], connect: HttpConnect): readonly string[] => {
  const most = overlapMax(connect);
  return most === 0 ? [] : items.slice(-most).map((item) => rowOf(item, connect.record).recordId);
};

const snapshotOf = (answer: Answer, { snapshot }: HttpConnect): string | null => {
  if (snapshot === undefined) return null;
  const read = textOf(valueOf(answer, snapshot));
  if (read === 'unreadable') throw new AnswerUnreadable('the snapshot id is no single value');
  return read.text || null;
};

interface Counted {
  readonly items: readonly Json[];
  readonly records: number;
  readonly pass: PassSoFar;
  readonly total: number | null;
  readonly paging: HttpConnect['paging'];
}

const capFacts = ({ items, records, pass, total, paging }: Counted): CapFacts => ({
  pageRecords: items.length,
  records,
  pages: pass.pagesBefore + 1,
  offset: Math.max(records, behindPage(paging, pass, items.length)),
  total,
});

/** A walk that ends by a total has nothing else to say how much there is. */
const totalChanged = ({ end }: HttpConnect, { totalBefore }: PassSoFar, count: number | null): boolean =>
  totalBefore !== null && count !== null && count !== totalBefore && end.some(({ by }) => by === 'total');
