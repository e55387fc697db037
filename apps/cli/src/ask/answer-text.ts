/** An answer for people: how complete it is comes first. Pure. */
import { decideHint } from '../cases/case-text.js';
import type { Colours } from '../colours.js';
import { printableLine } from '../printable.js';
import type { Answer, NamedReason, NamedRecord } from './answer.js';

const LINES_MAX = 20;

export function answerText(answer: Answer, colours: Colours): string {
  const { verdict, statement, advice, reasons, matches, candidates, unlisted, write } = answer;
  const lines = [
    `${verdictText(verdict, colours)}  ${colours.dim(completeness(answer))}`,
    ...(statement ? [printableLine(statement)] : []),
    ...section('reasons', reasons.map(reasonText)),
    ...section('matches', matches.map(recordText), unlisted?.matches),
    ...section('candidates', candidates.map(recordText), unlisted?.candidates),
    ...(write ? [`write: ${[write.answer, write.recordId, write.reason].filter(Boolean).join(', ')}`] : []),
    ...factLines(factsOf(answer)),
    colours.dim(printableLine(advice)),
  ];
  return `${lines.join('\n')}\n`;
}

export function verdictText(verdict: string | null, colours: Colours): string {
  if (verdict === null) return colours.cyan('reading');
  const text = printableLine(verdict);
  if (verdict === 'match-review') return colours.yellow(text);
  return verdict === 'scoped-no-match' ? colours.green(text) : colours.magenta(text);
}

function completeness({ partial, coverage, from_clamped: fromClamped, progress, verdict }: Answer): string {
  const parts = [partial ? 'partial' : 'not partial', `coverage ${coverage}`, ...(fromClamped ? ['from clamped'] : [])];
  if (verdict === null) parts.push(`${progress.pages} pages read in ${progress.attempts} attempts`);
  return printableLine(parts.join(', '));
}

export function section(title: string, entries: readonly string[], unlisted = 0): string[] {
  if (entries.length === 0) return [];
  const more = entries.length - LINES_MAX + unlisted;
  const shown = entries.slice(0, LINES_MAX).map((entry) => `  ${printableLine(entry)}`);
  return [`${title}:`, ...shown, ...(more > 0 && entries.length + unlisted > LINES_MAX ? [`  and ${more} more`] : [])];
}

export function reasonText({ code, source, meaning }: NamedReason): string {
  return `${code}${source ? ` (${source})` : ''}: ${meaning}`;
}

export function recordText({ source, recordId, version, status }: NamedRecord): string {
  const facts = [status && `status ${status}`, version && `version ${version}`].filter(Boolean).join(', ');
  return `${recordId ?? '(id not shown)'} in ${source}${facts ? ` (${facts})` : ''}`;
}

type Fact = readonly [name: string, value: string | null];

export function factLines(facts: readonly Fact[]): string[] {
  return facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${printableLine(value)}`]));
}

function factsOf(answer: Answer): Fact[] {
  const { count, asOf, owner, questionId, generation, receiptId, receiptHash, review, exception, caseIds } = answer;
  return [
    ['count', typeof count === 'number' ? String(count) : null],
    ['as of', asOf],
    ['owner', owner],
    ['question', `${questionId}, generation ${generation}`],
    ['receipt', receiptId && `${receiptId}${receiptHash ? `, hash ${receiptHash}` : ''}`],
    ['exception', exception ? `${exception.principal}, ${exception.at}: ${exception.reason}` : null],
    ['review', review ? `${review.decision} (case ${review.caseId}, ${review.at})` : null],
    ['cases', caseIds.length > 0 ? caseIds.join(', ') : null],
    ['next', nextOf(answer)],
  ];
}

/** What a person can do now; open cases come first. */
function nextOf({ verdict, review, caseIds: [caseId], matches, candidates }: Answer): string | null {
  if (!caseId || review || (verdict !== 'match-review' && verdict !== 'evidence-hold')) return null;
  const records = verdict === 'match-review' ? matches : candidates;
  return `lacuna case ${caseId}, then ${decideHint(caseId, records.length > 0)}`;
}
