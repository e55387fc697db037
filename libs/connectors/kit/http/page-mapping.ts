/** An HTTP body read by its continuation contract: rows, end, total, flags. */
import type { ReasonCode, SourceRow } from '@lacuna/evidence';
import type { AnswerFlag, HttpConnect, HttpRecordMap } from '../register/connect.js';
import type { PageResponse } from '../source-reader.js';
import { rowProblem } from '../source-row.js';
import { bodyAt, valueAt, textOf, type Json } from './exact-json.js';
import { continuationOf, type Position } from './continuation.js';

export interface MappedPage {
  readonly rows: readonly SourceRow[];
  readonly end: PageResponse['observed']['end'];
  readonly total: PageResponse['observed']['total'];
  readonly snapshot: string | null;
  readonly reasons: readonly ReasonCode[];
  /** The next position's cursor text; null when there is none. */
  readonly nextCursor: string | null;
}

/** What makes a body unreadable by the contract. */
export class BodyUnreadable extends Error {}

const scalar = (json: Json, pointer: string | undefined, what: string): string | null | undefined => {
  if (pointer === undefined) return null;
  const read = textOf(valueAt(json, pointer));
  if (read === 'unreadable') throw new BodyUnreadable(`${what} is no single value`);
  return read.text;
};

/** Throws BodyUnreadable. */
export const rowOf = (item: Json, map: HttpRecordMap): SourceRow => {
  const row: SourceRow = {
    recordId: scalar(item, map.id, 'an id') ?? '',
    version: scalar(item, map.version, 'a version') ?? null,
    status: scalar(item, map.status, 'a status') ?? null,
    followedTo: scalar(item, map.followTo, 'the id of a merged record') ?? null,
    values: Object.fromEntries(Object.entries(map.fields).map(([name, pointer]) => [name, scalar(item, pointer, name)])),
  };
  const problem = rowProblem(row);
  if (problem !== null) throw new BodyUnreadable(problem);
  return row;
};

const totalOf = (body: Json, connect: HttpConnect): PageResponse['observed']['total'] => {
  if (!connect.total) return null;
  const value = bodyAt(body, connect.total.path);
  if (value === undefined || value === null) return null;
  if (connect.total.relation !== 'exact') return estimateOf(value, connect.total.relation);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new BodyUnreadable('the total is no count');
  return { value, relation: connect.total.relation };
};

/** An estimate decides nothing, so one that is no count is passed over. */
const estimateOf = (value: Json, relation: 'estimate' | 'lower-bound'): PageResponse['observed']['total'] => {
  const count = typeof value === 'number' || (typeof value === 'string' && /^\d{1,16}$/.test(value)) ? Number(value) : -1;
  return Number.isSafeInteger(count) && count >= 0 ? { value: count, relation } : null;
};

const flagReasons = (body: Json, flags: readonly AnswerFlag[]): readonly ReasonCode[] =>
  flags.flatMap((flag): ReasonCode[] => {
    const value = bodyAt(body, flag.path);
    if (value === undefined) return flag.required ? ['metadata-missing'] : [];
    return isClean(value, flag) ? [] : [flag.reason];
  });

const isClean = (value: Json, { clean, cleanWhenEmpty }: AnswerFlag): boolean =>
  clean.some((each) => each === value) || (cleanWhenEmpty && isEmpty(value));

const isEmpty = (value: Json): boolean =>
  value === null || value === 0 || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** Throws BodyUnreadable. */
export const mapPage = (body: Json, connect: HttpConnect, position: Position): MappedPage => {
  const items = valueAt(body, connect.items);
  if (!Array.isArray(items)) throw new BodyUnreadable('the list of records is missing');
  const rows = (items as readonly Json[]).map((item) => rowOf(item, connect.record));
  const total = totalOf(body, connect);
  const snapshot = typeof connect.snapshot === 'string' ? scalar(body, connect.snapshot, 'the snapshot id') || null : null;
  const continuation = continuationOf({ body, connect, position, records: rows.length, total: total?.value ?? null });
  const totalMissing: readonly ReasonCode[] = connect.total?.relation === 'exact' && total === null ? ['metadata-missing'] : [];
  const changed = position.totalBefore !== null && total !== null && total.value !== position.totalBefore;
  const totalChanged: readonly ReasonCode[] = changed && connect.end.some(({ by }) => by === 'total') ? ['total-changed'] : [];
  const reasons = [...flagReasons(body, connect.flags), ...continuation.reasons, ...totalMissing, ...totalChanged];
  return { rows, total, snapshot, end: continuation.end, nextCursor: continuation.nextCursor, reasons: [...new Set(reasons)] };
};
