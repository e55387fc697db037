export { aSearch } from './builders/a-search.js';
export type { Search } from './builders/a-search.js';
export { afterNoon, freshId, NOON, sha256Of } from './builders/fresh.js';
export { anIdentifier, anIntent, aQuestionAsked, aQuestionRerun, aReadBudget } from './builders/question-builders.js';
export {
  anIngestionGapClosed,
  anIngestionGapFound,
  aRegister,
  aRegisterPublished,
  aRegisterWithTarget,
  aSourceRule,
} from './builders/register-builders.js';
export {
  aMatchingRow,
  aMissRecorded,
  anEndedSource,
  aPageRead,
  aSearchedIdentifier,
  aSearchEnded,
  aSearchStarted,
  FIRST_HASH,
} from './builders/search-builders.js';
export {
  aCheckpointSigned,
  aMatchReview,
  aNamedRecord,
  anEvidenceHold,
  aReceiptAppended,
  aVerdictReached,
} from './builders/verdict-builders.js';
export {
  aCaseClosed,
  aCaseOpened,
  aDeliveryCleared,
  aDeliveryStalled,
  anAuthorisationDecided,
  anExceptionGranted,
  anAuthorisationRequested,
  aPermitGranted,
  aPermitRefused,
  aReviewDecided,
  aWriteSettled,
} from './builders/write-builders.js';
export { freshDatabase, freshServiceDatabase } from './database-fixture.js';
export type { FreshDatabase, ServiceDatabase } from './database-fixture.js';
export { eventsOn, eventually, handled, messagesOn } from './log-reading.js';
