export { parseRegisterFile, wholeFileProblem } from './register/parse-register-file.js';
export type { ParseOptions, RegisterFileProblem, RegisterFileResult } from './register/parse-register-file.js';
export type { DocumentSource, RegisterDocument } from './register/register-document.js';
export type {
  AnswerFlag,
  Connect,
  ConnectorKind,
  EndSignal,
  HttpConnect,
  HttpPaging,
  HttpRecordMap,
  JsonPointer,
  PostgresConnect,
  RequestValue,
  SecretReference,
} from './register/connect.js';
export type { Clock, Egress, Secrets } from './inputs.js';
export { secretsOf } from './secrets.js';
export { secretReferences, targetReferences } from './register/secret-references.js';
export { createOutside, type CreateInput } from './outside/create-outside.js';
export type { OutsideOutcome } from './outside/outside-answer.js';
export type { OutsideCreate, OutsideTargetDocument } from './outside/outside-target.js';
export type { Opened, PageResponse, ReadFailure, ReadOutcome, ReadRequest, RecordOutcome, Remarks, SourceReader } from './source-reader.js';
export { FlexibleRateLimiter, type RateLimiter } from './rate-limiter.js';
export { connectorKinds, readerFor } from './reader-for.js';
export type { ReaderInputs } from './reader-for.js';
export { runAttempt } from './attempt/run-attempt.js';
export type { AttemptInput, AttemptOutcome, AttemptPage } from './attempt/attempt.js';
export { sqlIndexStatements } from './sql/table-sql.js';
export { registerSchema } from './register/schema/register-schema.js';
export { egressLookup, egressProblem } from './http/egress.js';
export { PostgresPools, type PostgresConnections } from './sql/postgres-connections.js';
export { contractSchema } from './register/schema/contract-schema.js';
export { presetNames, presetText, type PresetTexts } from './register/layers/preset-files.js';
export { strengthOf, type Obstacle, type Strength } from './register/strength/strength-of.js';
export { readSources, startDelayMs, unread, type ReadSourcesInput } from './search/read-sources.js';
export type { SearchedSource } from './search/read-source.js';
export { checkControls, type ControlCheck, type ControlsInput } from './search/check-controls.js';
export { UnfitPageError, type AttemptPlace, type RecordPage } from './search/attempt-record.js';
export { hashedRegister, type HashedRegister } from './search/hashed-register.js';
export { QuestionRefusedError, search } from './search/search.js';
export type { Reach, SearchInput, SearchQuestion, SearchResult } from './search/search-input.js';
export {
  explainContract,
  loadContract,
  type Explained,
  type ExplainedSource,
  type LoadedContract,
} from './register/strength/explain-contract.js';
export { checkContract, type CheckInputs, type ContractCheck } from './check/check-contract.js';
export type { Seen, StatementSeen } from './check/seen.js';
