/**
 * How many records match: claimed only for `enumerate` after a complete read without candidates (V3), and only where every match was seen by
 * the attempts that count.
 */
import type { NamedRecord } from './decision.js';
import type { StartedFacts } from './facts.js';
import { OWN_WRITES } from './own-writes.js';
import type { Register } from './register.js';
import type { SourceReading } from './source-finding.js';

export interface CountInput {
  readonly kind: StartedFacts['kind'] | undefined;
  readonly partial: boolean;
  readonly register: Register;
  readonly readings: readonly SourceReading[];
  /** Of all sources, uncut. */
  readonly matches: readonly NamedRecord[];
  /** Records for a person to compare, in deciding sources: any of them may be one more. */
  readonly candidates: number;
}

export const countMatches = ({ kind, partial, register, readings, matches, candidates }: CountInput): number | null => {
  if (kind !== 'enumerate' || partial || candidates > 0) return null;
  const counted = readings.filter(({ rule }) => rule.role === 'deciding' && rule.name !== OWN_WRITES);
  const seen = new Set(
    counted.flatMap(({ rule, attempt }) => attempt.pages.flatMap(({ rows }) => rows.map((row) => recordKey(rule.name, row.recordId)))),
  );
  if (!matches.every(({ source, recordId }) => seen.has(recordKey(source, recordId)))) return null;
  const homes = matches.map(({ source }) => homeOf(register, source));
  // A record that moved during the read may have been seen on both sides, under one id or under two.
  if (register.moves.kind !== 'none' && new Set(homes).size > 1) return null;
  return new Set(matches.map(({ recordId }, at) => recordKey(homes[at] ?? '', recordId))).size;
};

const recordKey = (source: string, recordId: string): string => JSON.stringify([source, recordId]);

/** A copy shows the records of its original under the same ids. */
const homeOf = ({ sources }: Register, name: string): string => sources.find((rule) => rule.name === name)?.copyOf ?? name;
