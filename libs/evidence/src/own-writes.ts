/**
 * The implicit deciding source of every register with a target: write-guard's slots, read last (W1). A slot of an own table is logged as a
 * row like any other: record and slot are one transaction, so the row carries the record's id and its status (docs/decisions/0001).
 */
import type { Register, SourceRule } from './register.js';

export const OWN_WRITES = 'own-writes';

export const ownWritesRule: SourceRule = {
  name: OWN_WRITES,
  role: 'deciding',
  method: 'exact-lookup',
  authority: 'original',
  lagMaxMs: 0,
  recentExcludedMs: 0,
  drift: 'single-response',
  predicate: 'same',
  visibility: 'all-or-nothing',
  hazards: [],
  contractDoubts: [],
  optionalFields: [],
};

/** All sources that a generation must speak of, in reading order. */
export const sourcesOf = (register: Register): readonly SourceRule[] =>
  register.target === null ? register.sources : [...register.sources, ownWritesRule];
