/** Cases for people. Pure. */
import { factLines, reasonText, recordText, section } from '../ask/answer-text.js';
import type { Colours } from '../colours.js';
import { printableLine } from '../printable.js';
import type { Case, CaseList } from './case.js';

export function caseListText({ partial, coverage, advice, items }: CaseList, colours: Colours): string {
  const lines = [
    `${items.length} cases  ${colours.dim(printableLine(`${partial ? 'partial' : 'not partial'}, coverage ${coverage}`))}`,
    ...items.flatMap((one) => [heading(one, colours), `  ${printableLine(one.statement)}`]),
    ...(items.some(isToDecide) ? ['next: lacuna case ID shows one; lacuna decide ID same|different|rerun decides it'] : []),
    colours.dim(printableLine(advice)),
  ];
  return `${lines.join('\n')}\n`;
}

export function caseText(one: Case, colours: Colours): string {
  const lines = [
    heading(one, colours),
    printableLine(one.statement),
    ...section('reasons', one.reasons.map(reasonText)),
    ...section('records', one.records.map(recordText)),
    ...factLines([
      ['register', one.register],
      ['owner', one.owner],
      ['question', `${one.questionId}, generation ${one.generation}`],
      ['receipt', one.receiptId],
      ['opened', one.openedAt],
      ['closed', one.closedAt && `${one.closedAt} (${one.outcome})`],
      ['decision', decisionText(one)],
      ['next', nextText(one)],
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The decisions that a case leaves open: "same" and "different" are said of a record. */
export function decideHint(caseId: string, hasRecords: boolean): string {
  return `lacuna decide ${caseId} ${hasRecords ? 'same|different|rerun' : 'rerun'}`;
}

function heading({ caseId, state, subject, register, openedAt }: Case, colours: Colours): string {
  const paint = state === 'open' ? colours.yellow : colours.dim;
  return `${paint(printableLine(`${caseId}  ${state}  ${subject}`))}  ${printableLine(`${register}, ${openedAt}`)}`;
}

function decisionText({ decision }: Case): string | null {
  if (!decision) return null;
  const note = decision.note ? `: ${decision.note}` : '';
  return `${decision.decision} by ${decision.principal}, ${decision.decidedAt}${note}`;
}

function nextText(one: Case): string | null {
  if (one.decision && one.decision.decision !== 'same') return 'the question is read once more';
  return isToDecide(one) ? decideHint(one.caseId, one.records.length > 0) : null;
}

const isToDecide = ({ state, decision }: Case): boolean => state === 'open' && decision === null;
