/** An answer for people: how complete it is comes first. Pure. */
import type { Colours } from '../colours.js';
import { printableLine } from '../printable.js';
import type { Answer, NamedRecord } from './answer.js';

const LINES_MAX = 20;

export function answerText(answer: Answer, colours: Colours): string {
  const { verdict, statement, advice, reasons, matches, candidates, unlisted, write, caseIds } = answer;
  const lines = [
    `${verdictText(verdict, colours)}  ${colours.dim(completeness(answer))}`,
    ...(statement ? [printableLine(statement)] : []),
    ...section(
      'reasons',
      reasons.map(({ code, source, meaning }) => `${code}${source ? ` (${source})` : ''}: ${meaning}`),
    ),
    ...section('matches', matches.map(recordText), unlisted?.matches),
    ...section('candidates', candidates.map(recordText), unlisted?.candidates),
    ...(write ? [`write: ${[write.answer, write.recordId, write.reason].filter(Boolean).join(', ')}`] : []),
    ...facts(answer),
    ...(caseIds.length > 0 ? [`cases: ${caseIds.join(', ')}`] : []),
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

function section(title: string, entries: readonly string[], unlisted = 0): string[] {
  if (entries.length === 0) return [];
  const more = entries.length - LINES_MAX + unlisted;
  const shown = entries.slice(0, LINES_MAX).map((entry) => `  ${printableLine(entry)}`);
  return [`${title}:`, ...shown, ...(more > 0 && entries.length + unlisted > LINES_MAX ? [`  and ${more} more`] : [])];
}

function recordText({ source, recordId, version, status }: NamedRecord): string {
  const facts = [status && `status ${status}`, version && `version ${version}`].filter(Boolean).join(', ');
  return `${recordId ?? '(id not shown)'} in ${source}${facts ? ` (${facts})` : ''}`;
}

function facts({ asOf, owner, questionId, generation, receiptId }: Answer): string[] {
  const values: [string, string | null][] = [
    ['as of', asOf],
    ['owner', owner],
    ['question', `${questionId}, generation ${generation}`],
    ['receipt', receiptId],
  ];
  return values.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${printableLine(value)}`]));
}
