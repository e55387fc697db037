/** How demonstrations and earlier decisions look on a terminal. */
import colours from 'picocolors';
import type { Demonstration } from './demonstrate.js';
import type { Answer } from './gateway-client.js';

export function printDemonstration(demonstration: Demonstration, say: (line: string) => void): void {
  const { number, title, answers, missed, notes } = demonstration;
  say('');
  say(colours.bold(`${number}. ${title}`));
  for (const answer of answers) {
    say(`   ${verdictText(answer.verdict)}  receipt ${answer.receiptId}`);
    say(`   ${colours.dim(answer.statement ?? '')}`);
  }
  for (const note of notes) say(`   ${note}`);
  for (const what of missed) say(colours.red(`   NOT SEEN: ${what}`));
}

export function printEarlier(answers: readonly Answer[], say: (line: string) => void): void {
  if (answers.length === 0) return;
  say(`earlier decisions (the newest ${answers.length}):`);
  for (const { askedAt, register, verdict, receiptId, questionId } of answers) {
    say(`  ${askedAt}  ${register.padEnd(28)} ${verdictText(verdict).padEnd(18)} ${receiptId ?? questionId}`);
  }
}

function verdictText(verdict: Answer['verdict']): string {
  if (verdict === 'match-review') return colours.yellow(verdict);
  if (verdict === 'scoped-no-match') return colours.green(verdict);
  return verdict === 'evidence-hold' ? colours.magenta(verdict) : 'reading';
}
