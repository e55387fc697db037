export { definitionOf, eventDefinitions, events, topicRetention, topics } from './catalogue.js';
export type { EventDefinition, Service, TopicName } from './catalogue.js';
export { decodeEvent, encodeEvent, InvalidEventError, isEvent } from './codec.js';
export type { DecodedEvent, DecodeOutcome, EncodedEvent } from './codec.js';
export { Count, Id, Name, Reason, Sha256, TenantId, Text, Timestamp } from './fields.js';
export {
  ExcludedRecord,
  EXCLUSIONS_MAX,
  Identifier,
  IDENTIFIER_VALUE_CHARACTERS_MAX,
  IDENTIFIERS_MAX,
  Intent,
  QuestionAsked,
  QuestionRerun,
  ReadBudget,
} from './question.js';
export {
  Attestation,
  ControlResult,
  EndedSource,
  KnownGap,
  MatchingRow,
  MissRecorded,
  PAGE_READ_BYTES_MAX,
  PAGE_ROWS_MAX,
  PageRead,
  REASONS_MAX,
  SearchedIdentifier,
  SearchEnded,
  SearchStarted,
  SOURCES_MAX,
} from './search.js';
export { IngestionGapClosed, IngestionGapFound, RegisterPublished } from './register.js';
export {
  CheckpointSigned,
  NamedRecord,
  RECEIPT_ENVELOPE_CHARACTERS_MAX,
  ReceiptAppended,
  SourceBoundary,
  VerdictReached,
  VerdictReason,
} from './verdict.js';
export { AuthorisationRequested, PermitGranted, PermitRefused, WriteSettled } from './write.js';
export { AuthorisationDecided, ExceptionGranted, CaseClosed, CaseOpened, ReviewDecided } from './review.js';
export { DeliveryCleared, DeliveryStalled } from './delivery.js';
