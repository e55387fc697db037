/** Every event type: its class, topic, key and identity. The only definition; topics, schemas and docs come from it. */
import { AuthorisationDecided, CaseClosed, CaseOpened, ExceptionGranted, ReviewDecided } from './review.js';
import { AuthorisationRequested, PermitGranted, PermitRefused, WriteSettled } from './write.js';
import { CheckpointSigned, ReceiptAppended, VerdictReached } from './verdict.js';
import { DeliveryCleared, DeliveryStalled } from './delivery.js';
import { IngestionGapClosed, IngestionGapFound, RegisterPublished } from './register.js';
import { MissRecorded, PageRead, SearchEnded, SearchStarted } from './search.js';
import { QuestionAsked, QuestionRerun } from './question.js';

export const topics = {
  registers: 'lacuna.registers.v1',
  questions: 'lacuna.questions.v1',
  searches: 'lacuna.searches.v1',
  ingestion: 'lacuna.ingestion.v1',
  verdicts: 'lacuna.verdicts.v1',
  receipts: 'lacuna.receipts.v1',
  writes: 'lacuna.writes.v1',
  reviews: 'lacuna.reviews.v1',
  deliveries: 'lacuna.deliveries.v1',
} as const;

export type TopicName = (typeof topics)[keyof typeof topics];

const DAY_MS = 86_400_000;

/** How each topic keeps its messages; `retentionMs` -1: for ever. */
export const topicRetention: Readonly<Record<TopicName, { readonly cleanup: 'compact' | 'delete'; readonly retentionMs: number }>> = {
  [topics.registers]: { cleanup: 'compact', retentionMs: -1 },
  [topics.questions]: { cleanup: 'delete', retentionMs: 30 * DAY_MS },
  [topics.searches]: { cleanup: 'delete', retentionMs: 30 * DAY_MS },
  [topics.ingestion]: { cleanup: 'compact', retentionMs: -1 },
  [topics.verdicts]: { cleanup: 'delete', retentionMs: 90 * DAY_MS },
  [topics.receipts]: { cleanup: 'delete', retentionMs: -1 },
  [topics.writes]: { cleanup: 'delete', retentionMs: 90 * DAY_MS },
  [topics.reviews]: { cleanup: 'delete', retentionMs: 90 * DAY_MS },
  [topics.deliveries]: { cleanup: 'delete', retentionMs: 90 * DAY_MS },
};

export type Service = 'gateway' | 'search-runner' | 'verdict' | 'write-guard' | 'notifier';

/** What stands behind one event type. `key` orders it in its topic; `id` is its natural key; `time` is when it was so. */
export interface EventDefinition<T extends object> {
  readonly type: string;
  readonly topic: TopicName;
  readonly dataClass: new () => T;
  readonly producers: readonly Service[] | 'every service';
  readonly key: (data: T) => string;
  readonly id: (data: T) => string;
  readonly time: (data: T) => string;
}

const define = <T extends object>(definition: EventDefinition<T>): EventDefinition<T> => definition;
const byQuestion = (data: { tenantId: string; questionId: string }) => `${data.tenantId}:${data.questionId}`;
const byRegister = (data: { tenantId: string; registerName: string }) => `${data.tenantId}:${data.registerName}`;
/** Of each gap the compacted topic keeps the last that was said. */
const byGap = (data: { tenantId: string; registerName: string; source: string; from: string }) =>
  `${byRegister(data)}:${data.source}:${data.from}`;
/** An exception is an attempt of its own. */
const attemptOf = (data: { tenantId: string; questionId: string; generation: number; exceptionId?: string }) =>
  data.exceptionId === undefined ? generationOf(data) : `${generationOf(data)}:${data.exceptionId}`;
const generationOf = (data: { tenantId: string; questionId: string; generation: number }) => `${byQuestion(data)}:${data.generation}`;

export const events = {
  registerPublished: define({
    type: 'lacuna.register.published',
    topic: topics.registers,
    dataClass: RegisterPublished,
    producers: ['gateway'],
    key: (data) => `${byRegister(data)}:${data.registerHash}`,
    id: (data) => `${byRegister(data)}:${data.registerHash}`,
    time: (data) => data.at,
  }),
  questionAsked: define({
    type: 'lacuna.question.asked',
    topic: topics.questions,
    dataClass: QuestionAsked,
    producers: ['gateway'],
    key: byQuestion,
    id: byQuestion,
    time: (data) => data.askedAt,
  }),
  questionRerun: define({
    type: 'lacuna.question.rerun',
    topic: topics.questions,
    dataClass: QuestionRerun,
    producers: ['gateway', 'write-guard', 'notifier'],
    key: byQuestion,
    id: (data) => `${byQuestion(data)}:${data.causeId}`,
    time: (data) => data.at,
  }),
  searchStarted: define({
    type: 'lacuna.search.started',
    topic: topics.searches,
    dataClass: SearchStarted,
    producers: ['search-runner'],
    key: byQuestion,
    id: generationOf,
    time: (data) => data.startedAt,
  }),
  pageRead: define({
    type: 'lacuna.page.read',
    topic: topics.searches,
    dataClass: PageRead,
    producers: ['search-runner'],
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.attemptId}:${data.sequence}`,
    time: (data) => data.endedAt,
  }),
  searchEnded: define({
    type: 'lacuna.search.ended',
    topic: topics.searches,
    dataClass: SearchEnded,
    producers: ['search-runner'],
    key: byQuestion,
    id: generationOf,
    time: (data) => data.endedAt,
  }),
  missRecorded: define({
    type: 'lacuna.miss.recorded',
    topic: topics.searches,
    dataClass: MissRecorded,
    producers: ['search-runner'],
    key: byQuestion,
    id: (data) => `${byQuestion(data)}:${data.misses}`,
    time: (data) => data.at,
  }),
  ingestionGapFound: define({
    type: 'lacuna.ingestion.gap-found',
    topic: topics.ingestion,
    dataClass: IngestionGapFound,
    producers: ['search-runner'],
    key: byGap,
    id: byGap,
    time: (data) => data.at,
  }),
  ingestionGapClosed: define({
    type: 'lacuna.ingestion.gap-closed',
    topic: topics.ingestion,
    dataClass: IngestionGapClosed,
    producers: ['search-runner'],
    key: byGap,
    id: byGap,
    time: (data) => data.at,
  }),
  verdictReached: define({
    type: 'lacuna.verdict.reached',
    topic: topics.verdicts,
    dataClass: VerdictReached,
    producers: ['verdict'],
    key: byQuestion,
    id: generationOf,
    time: (data) => data.decidedAt,
  }),
  receiptAppended: define({
    type: 'lacuna.receipt.appended',
    topic: topics.receipts,
    dataClass: ReceiptAppended,
    producers: ['verdict'],
    key: (data) => data.tenantId,
    id: generationOf,
    time: (data) => data.at,
  }),
  checkpointSigned: define({
    type: 'lacuna.checkpoint.signed',
    topic: topics.receipts,
    dataClass: CheckpointSigned,
    producers: ['verdict'],
    key: (data) => data.tenantId,
    id: (data) => `${data.tenantId}:${data.treeSize}`,
    time: (data) => data.at,
  }),
  authorisationRequested: define({
    type: 'lacuna.authorisation.requested',
    topic: topics.writes,
    dataClass: AuthorisationRequested,
    producers: ['write-guard'],
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.authorisationId}`,
    time: (data) => data.at,
  }),
  permitGranted: define({
    type: 'lacuna.permit.granted',
    topic: topics.writes,
    dataClass: PermitGranted,
    producers: ['write-guard'],
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.permitId}`,
    time: (data) => data.at,
  }),
  permitRefused: define({
    type: 'lacuna.permit.refused',
    topic: topics.writes,
    dataClass: PermitRefused,
    producers: ['write-guard'],
    key: byQuestion,
    id: attemptOf,
    time: (data) => data.at,
  }),
  writeSettled: define({
    type: 'lacuna.write.settled',
    topic: topics.writes,
    dataClass: WriteSettled,
    producers: ['write-guard'],
    key: byQuestion,
    id: attemptOf,
    time: (data) => data.at,
  }),
  caseOpened: define({
    type: 'lacuna.case.opened',
    topic: topics.reviews,
    dataClass: CaseOpened,
    producers: ['notifier'],
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.caseId}`,
    time: (data) => data.openedAt,
  }),
  caseClosed: define({
    type: 'lacuna.case.closed',
    topic: topics.reviews,
    dataClass: CaseClosed,
    producers: ['notifier'],
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.caseId}`,
    time: (data) => data.at,
  }),
  reviewDecided: define({
    type: 'lacuna.review.decided',
    topic: topics.reviews,
    dataClass: ReviewDecided,
    producers: ['gateway'],
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.decisionId}`,
    time: (data) => data.at,
  }),
  exceptionGranted: define({
    type: 'lacuna.exception.granted',
    topic: topics.reviews,
    dataClass: ExceptionGranted,
    producers: ['gateway'],
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.exceptionId}`,
    time: (data) => data.at,
  }),
  authorisationDecided: define({
    type: 'lacuna.authorisation.decided',
    topic: topics.reviews,
    dataClass: AuthorisationDecided,
    producers: ['gateway'],
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.authorisationId}`,
    time: (data) => data.at,
  }),
  deliveryStalled: define({
    type: 'lacuna.delivery.stalled',
    topic: topics.deliveries,
    dataClass: DeliveryStalled,
    producers: 'every service',
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.group}:${data.message}`,
    time: (data) => data.at,
  }),
  deliveryCleared: define({
    type: 'lacuna.delivery.cleared',
    topic: topics.deliveries,
    dataClass: DeliveryCleared,
    producers: 'every service',
    key: byQuestion,
    id: (data) => `${data.tenantId}:${data.group}:${data.message}`,
    time: (data) => data.at,
  }),
} as const;

const definitions = Object.values(events) as unknown as readonly EventDefinition<object>[];
const byType = new Map(definitions.map((definition) => [definition.type, definition]));

/** Every definition, in the order of the catalogue. */
export const eventDefinitions: readonly EventDefinition<object>[] = definitions;

/** The definition of a `ce_type`, or undefined for a type that is not ours. */
export function definitionOf(type: string): EventDefinition<object> | undefined {
  return byType.get(type);
}
