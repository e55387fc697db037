/** What a run of delivery got wrong, in words; nothing: every event changed state once, and what it gave rise to is all there. Pure. */
import type { LogMessage } from '@lacuna/messaging';
import type { Effect } from './effect-table.js';

export interface DeliveryOutcome {
  /** How many events, numbered from 1, each key was given. */
  readonly sent: ReadonlyMap<string, number>;
  readonly effects: readonly Effect[];
  /** Per partition in log order; `ce_id` ends with `:n`. */
  readonly outgoing: readonly LogMessage[];
}

export function deliveryProblems({ sent, effects, outgoing }: DeliveryOutcome): string[] {
  const problems: string[] = [];
  for (const [key, count] of sent) {
    const handled = effects.filter((effect) => effect.key === key).map((effect) => effect.n);
    problems.push(...sequenceProblems(`effects of ${key}`, handled, count));
    const published = outgoing.filter((message) => message.key?.toString() === key).map(numberOf);
    problems.push(...sequenceProblems(`events behind ${key}`, [...new Set(published)], count));
  }
  return [...problems, ...repetitionProblems(outgoing)];
}

function sequenceProblems(what: string, found: readonly number[], count: number): string[] {
  const problems: string[] = [];
  const distinct = new Set(found);
  const lost = Array.from({ length: count }, (_, index) => index + 1).filter((n) => !distinct.has(n));
  if (lost.length > 0) problems.push(`${what}: lost ${lost.join(', ')}`);
  if (distinct.size < found.length) problems.push(`${what}: ${found.length - distinct.size} twice`);
  const firsts = [...distinct];
  if (firsts.some((n, index) => index > 0 && n < (firsts[index - 1] ?? 0))) problems.push(`${what}: out of order ${firsts.join(', ')}`);
  return problems;
}

function repetitionProblems(outgoing: readonly LogMessage[]): string[] {
  const first = new Map<string, LogMessage>();
  const differing: string[] = [];
  for (const message of outgoing) {
    const id = `${message.key?.toString()}/${numberOf(message)}`;
    const earlier = first.get(id) ?? message;
    first.set(id, earlier);
    if (!sameBytes(earlier, message)) differing.push(`a repetition of ${id} has other bytes`);
  }
  return differing;
}

function sameBytes(a: LogMessage, b: LogMessage): boolean {
  const text = (message: LogMessage) =>
    JSON.stringify(Object.entries(message.headers).map(([name, bytes]) => [name, bytes.toString('hex')]));
  return (a.value ?? Buffer.alloc(0)).equals(b.value ?? Buffer.alloc(0)) && text(a) === text(b);
}

function numberOf(message: LogMessage): number {
  return Number(/:(\d+)$/.exec(message.headers['ce_id']?.toString() ?? '')?.[1]);
}
