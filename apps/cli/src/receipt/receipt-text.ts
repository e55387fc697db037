/** A receipt's payload for people. Pure. */
import type { ReceiptPayload } from '@lacuna/receipts';
import type { Colours } from '../colours.js';
import { verdictText } from '../ask/answer-text.js';
import { printableLine } from '../printable.js';

const SOURCES_MAX = 64;
const REASONS_MAX = 20;

export interface ReceiptFacts {
  readonly payload: ReceiptPayload;
  readonly receiptHash: string;
  readonly leafIndex: number;
}

export function receiptText({ payload, receiptHash, leafIndex }: ReceiptFacts, colours: Colours): string {
  const { question, boundary, traversal, verdict } = payload;
  const lines: [string, string | null][] = [
    ['receipt', payload.receiptId],
    ['hash', receiptHash],
    ['leaf', `${leafIndex} (as the gateway says; it stands beside the receipt)`],
    ['question', `${question.questionId}, generation ${question.generation}, ${question.kind}`],
    ['register', `${question.registerId} (${question.registerHash})`],
    ['as of', boundary.asOf],
    ['decided at', boundary.decidedAt],
    ['owner', verdict.owner],
    ...traversal.sources.slice(0, SOURCES_MAX).map((source): [string, string] => ['source', sourceText(source)]),
    ...verdict.reasons.slice(0, REASONS_MAX).map(({ code, source }): [string, string] => ['reason', source ? `${code} (${source})` : code]),
  ];
  const facts = lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${printableLine(value)}`]));
  return `${[verdictText(verdict.verdict, colours), printableLine(verdict.statement), ...facts].join('\n')}\n`;
}

function sourceText({ source, stopReason, pages, records, doubts }: ReceiptPayload['traversal']['sources'][number]): string {
  return [`${source}: ${stopReason}`, `pages ${pages}`, `records ${records}`, ...doubts].join(', ');
}
