export { LogUnreachableError, MessageTooLargeError } from './kafka-errors.js';
export { KafkaEventLog } from './kafka-event-log.js';
export type { KafkaSettings } from './kafka-settings.js';
