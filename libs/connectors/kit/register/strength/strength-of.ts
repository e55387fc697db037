/** What no-match a source can ever support, and why not: computed from its contract, never claimed by it. */
import { sourceObstacles, type ReasonCode, type SourceRule } from '@lacuna/evidence';
import { contractObstacles } from '../contract-obstacles.js';
import type { DocumentSource, RegisterDocument } from '../register-document.js';
import { conditionsOf, type Condition } from './conditions.js';
import { statementsOf, type Statement } from './statements.js';

export interface Obstacle {
  /** JSON Pointer into the register, as its file would have it. */
  readonly path: string;
  readonly reason: string;
  /** The reason by which the core holds all the same. */
  readonly doubt: ReasonCode;
}

export interface Strength {
  readonly canSupport: boolean;
  readonly obstacles: readonly Obstacle[];
  /** What must hold when it is read, beside a clean read to its end. */
  readonly conditions: readonly Condition[];
  readonly statements: readonly Statement[];
}

/** Null: the register has no such source. */
export const strengthOf = (register: RegisterDocument, sourceName: string): Strength | null => {
  const at = register.sources.findIndex(({ name }) => name === sourceName);
  const source = register.sources[at];
  if (source === undefined) return null;
  const below = <T extends { readonly path: string }>(entry: T): T => ({ ...entry, path: `/sources/${at}${entry.path}` });
  const obstacles = [...ruleObstacles(register, source), ...contractObstacles(source)].map(below);
  return {
    canSupport: source.role === 'deciding' && obstacles.length === 0,
    obstacles,
    conditions: conditionsOf(register, source).map(below),
    statements: statementsOf(source),
  };
};

/** `predicate` is computed and stands in no file: what it is computed from does. */
const PLACE_OF: Partial<Record<keyof SourceRule, string>> = { predicate: 'comparison' };

/** Of what the contract leaves open, `contractObstacles` names the place. */
const ruleObstacles = (register: RegisterDocument, source: DocumentSource): readonly Obstacle[] =>
  sourceObstacles(register, source)
    .filter(({ field }) => field !== 'contractDoubts')
    .map(({ field, reason, doubt }) => ({ path: `/${PLACE_OF[field] ?? field}`, reason, doubt }));
