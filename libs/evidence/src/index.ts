export { asciiBehaviour, isReadable, normalForm, type AsciiBehaviour } from './normalise.js';
export { normaliserName, normaliserText } from './normaliser-text.js';
export { behindMsMax, boundaryOf, isFresh, oldestOf, waitMs, type WaitInput } from './boundary.js';
export { movedBetween, readAgain, type Reading } from './moves.js';
export { catalogue, isReasonCode, reasonCodes, reasonOf } from './catalogue.js';
export type { Coverage, ListedReason, Reason, ReasonCode, ReasonOwner } from './catalogue.js';
export { checkIdentifiers, IDENTIFIER_UNITS_MAX, type IdentifierProblem } from './check-identifiers.js';
export { compareRow, keysOf, outcomeOf } from './compare-row.js';
export type { IdentifierRules, Results, RowComparison, RowOutcome } from './compare-row.js';
export { controlsOf } from './controls.js';
export { decide } from './decide.js';
export { LISTED_MAX } from './decision.js';
export type { Decision, DecisionReason, Evidence, Finding, NamedRecord, SourceFinding, Verdict } from './decision.js';
export type { AskedIdentifier, Comparison, EndedFacts, EndedSource, Exclusion, PageFacts, PageRow, StartedFacts } from './facts.js';
export { foldGeneration, GENESIS_HASH, type SearchEvent } from './fold.js';
export { formatInstant, parseInstant } from './instant.js';
export type { Effect, FailureObservation, Observation, PageObservation, SourceRow } from './observation.js';
export { lookupRules } from './lookup.js';
export { isUnknownWrite, OUTCOME_UNKNOWN, OWN_WRITES, ownWritesRule, sourcesOf } from './own-writes.js';
export type {
  AcceptedDoubt,
  Attestation,
  Authority,
  AuthorisationPolicy,
  Budget,
  ControlRecord,
  DriftProof,
  Hazard,
  KnownGap,
  IdentifierKind,
  IdentifierRule,
  Moves,
  Normaliser,
  NormaliserName,
  PlainNormaliser,
  Provenance,
  ReadMethod,
  OutsideTarget,
  OwnTableTarget,
  Register,
  SourceRole,
  SourceRule,
  StatusRules,
  Visibility,
  WriteTarget,
} from './register.js';
export { statusRulesFor } from './question-kind.js';
export { exclusionsFor, isExcluded, statusEffect, type StatusEffect } from './status.js';
export { startWalk, step, walkTable, type Move, type Phase, type WalkState, type WalkStep } from './walk.js';
export { IDLE_PAGES_MAX, walkLimits, type ObservationClass, type WalkLimits } from './walk-class.js';
export { sourceObstacles, type SourceObstacle } from './source-obstacles.js';
export { registerProblems, type RegisterProblem } from './register-check.js';
export { statementOf, type StatementInput } from './statement.js';
export { keyParts, keyPolicy } from './key-parts.js';
