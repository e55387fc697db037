export { BatchLoop } from './batch-loop.js';
export type { BatchLoopOptions, DeliveryObserver } from './batch-loop.js';
export type { Clock, DeliveryLogger } from './clock.js';
export { noCrash } from './crash-points.js';
export type { CrashHook, CrashPoint } from './crash-points.js';
export type { Database, Transaction } from './database.js';
export {
  clearedEvent,
  deadLetter,
  deadLetterTopic,
  dropEvent,
  letterMark,
  markOf,
  originalOf,
  questionTopics,
  stalledEvent,
} from './dead-letter.js';
export type { DeadLetterBy, DeadLetterCause, DeadLetterReason, LetterAction, LetterMark } from './dead-letter.js';
export { ConsumerStoppedError, FencedError, PositionOutsideLogError, PublishError, SimulatedCrash } from './delivery-error.js';
export type { ConsumeOptions, EventLog, LogConsumer, LogMessage, PartitionHandler, TopicPartition, TopicSettings } from './event-log.js';
export { TICK_MS } from './event-log.js';
export { EventPublisher } from './event-publisher.js';
export type { EventPublisherOptions, Recorded } from './event-publisher.js';
export { actionFor, codeOf, failureTable } from './failure-table.js';
export type { FailureAction, FailureRule } from './failure-table.js';
export { JobWorker } from './job-worker.js';
export type { JobLease, JobWorkerOptions } from './job-worker.js';
export { PARKED_PER_KEY_MAX, type ParkedKey, type StalledKey } from './key-gate.js';
export type { JobQueue, LeasedJob, NewJob, OutboxStore, ParkingStore, PositionStore } from './queue-store.js';
export { retryDelayMs, retryPolicy, waitMs } from './retry-policy.js';
export type { RetryPolicy } from './retry-policy.js';
export type { ReceivedEvent, TenantBatch, TopicHandler } from './topic-handler.js';
export { WakeableWait } from './wakeable-wait.js';
