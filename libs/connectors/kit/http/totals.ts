/** What an answer says of how many records there are, as far as the contract lets it be believed. */
import type { ReasonCode } from '@lacuna/evidence';
import type { HttpConnect, Total } from '../register/connect.js';
import type { PageResponse } from '../source-reader.js';
import { type Answer, AnswerUnreadable, countOf, isAmong, valueOf } from './answer.js';

export interface TotalRead {
  /** Of all records that the request matches; null: none that can be used. */
  readonly count: number | null;
  readonly relation: Total['relation'];
  /** As the walk is told it. */
  readonly observed: PageResponse['observed']['total'];
  readonly reasons: readonly ReasonCode[];
}

const NONE: TotalRead = { count: null, relation: 'estimate', observed: null, reasons: [] };

/** `recordsBefore`: read in this pass before this page. @throws AnswerUnreadable for an exact total that is no count */
export const totalOf = (answer: Answer, { total }: Pick<HttpConnect, 'total'>, isFirst: boolean, recordsBefore: number): TotalRead => {
  if (total === undefined || total.counts === 'page') return NONE;
  const value = valueOf(answer, total.path);
  if (value === undefined || value === null) return { ...NONE, reasons: isNeeded(total, isFirst) ? ['metadata-missing'] : [] };
  const stated = countOf(value);
  const relation = relationOf(answer, total, stated);
  if (stated === null && relation === 'exact') throw new AnswerUnreadable('the total is no count');
  if (stated === null) return NONE;
  const count = total.counts === 'remaining' ? stated + recordsBefore : stated;
  // Counted before access rules it is no count of what can be read.
  const told = total.countedBeforeAccess ? 'estimate' : relation;
  return { count, relation, observed: { value: count, relation: told }, reasons: [] };
};

const isNeeded = ({ relation, optional, firstPageOnly }: Total, isFirst: boolean): boolean =>
  relation === 'exact' && !optional && (isFirst || !firstPageOnly);

const relationOf = (answer: Answer, { relation, relationAt, saturatesAt }: Total, count: number | null): Total['relation'] => {
  if (relation === 'estimate') return relation;
  if (saturatesAt !== undefined && count !== null && count >= saturatesAt) return 'lower-bound';
  if (relationAt !== undefined && !isAmong(valueOf(answer, relationAt.path), relationAt.exact, relationAt.path)) return 'lower-bound';
  return relation;
};

/** What a total says against an end: that there is more than was read. An exact one is compared by the walk itself. */
export const endTotalReasons = ({ total }: Pick<HttpConnect, 'total'>, read: TotalRead, records: number): readonly ReasonCode[] => {
  if (total === undefined || read.count === null || read.count <= records) return [];
  if (total.countedBeforeAccess && read.relation !== 'estimate') return ['visibility-limited'];
  return read.relation === 'lower-bound' ? ['total-mismatch'] : [];
};
