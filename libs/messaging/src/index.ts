export type { Database, Transaction } from './database.js';
export type { ConsumeOptions, EventLog, LogConsumer, LogMessage, PartitionHandler, TopicPartition, TopicSettings } from './event-log.js';
export type { JobQueue, LeasedJob, NewJob, OutboxStore, PositionStore } from './queue-store.js';
export type { ReceivedEvent, TenantBatch, TopicHandler } from './topic-handler.js';
