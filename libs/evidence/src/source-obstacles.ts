/** What in a source's rule keeps it from ever supporting a no-match. Each of these is also a doubt when the source is decided. */
import type { ReasonCode } from './catalogue.js';
import type { Register, SourceRule } from './register.js';

export interface SourceObstacle {
  /** Below the source, such as `drift`. */
  readonly field: keyof SourceRule;
  readonly reason: string;
  readonly doubt: ReasonCode;
}

const driftAccepted = (register: Pick<Register, 'acceptedDoubts'>, source: SourceRule): boolean =>
  register.acceptedDoubts.some((accepted) => accepted.source === source.name && accepted.doubt === 'drift-possible');

const fieldObstacles = (source: SourceRule, accepted: boolean): readonly (SourceObstacle | null)[] => {
  const drifts = source.method === 'enumeration' && (source.drift === 'none' || source.drift === 'upper-bound') && !accepted;
  const narrow = source.predicate !== 'wider' && source.predicate !== 'same';
  return [
    source.method === 'approximate'
      ? { field: 'method', reason: 'an approximate search can miss records', doubt: 'method-approximate' }
      : null,
    narrow ? { field: 'predicate', reason: 'its filter may leave out records that match', doubt: 'predicate-narrower' } : null,
    source.lagMaxMs === null ? { field: 'lagMaxMs', reason: 'its lag has no known bound', doubt: 'replica-lag-unknown' } : null,
    drifts
      ? { field: 'drift', reason: 'records may move while it is read and the register does not accept that', doubt: 'drift-possible' }
      : null,
  ];
};

/** An attestation that has run out is found when it is decided: no register is refused by the clock. */
export const sourceObstacles = (register: Pick<Register, 'acceptedDoubts'>, source: SourceRule): readonly SourceObstacle[] => [
  ...fieldObstacles(source, driftAccepted(register, source)).filter((obstacle) => obstacle !== null),
  ...source.hazards
    .filter(({ attestation }) => attestation === null)
    .map(({ name, reason }) => ({ field: 'hazards' as const, reason: `nobody attests that ${name} does not happen`, doubt: reason })),
  ...source.contractDoubts.map((doubt) => ({ field: 'contractDoubts' as const, reason: `its contract leaves ${doubt} open`, doubt })),
];
