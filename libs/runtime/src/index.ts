export { configKeys, type ConfigKey } from './config-keys.js';
export { ConfigError } from './config-value.js';
export { configHelp, loadConfig, type ServiceConfig } from './service-config.js';
export { kafkaSettings } from './open-log.js';
export { EventLogStrategy, type EventLogStrategyOptions } from './event-log-strategy.js';
export { isOutage } from './outage.js';
export { OnTopic } from './on-topic.js';
export { problem, type ProblemDetails } from './problem-details.js';
export { ProblemFilter } from './problem-filter.js';
export type { RunningService, ServiceDefinition, StartOverrides } from './service-definition.js';
export { runMain } from './run-main.js';
export { RuntimeModule, type RuntimeParts } from './runtime.module.js';
export { metricNames, ServiceMetrics } from './metrics.js';
export { Readiness } from './readiness.js';
export { allTopics, topicsOf } from './service-topics.js';
export { StartError } from './start-error.js';
export { startService } from './start-service.js';
export { ServiceTokenGuard } from './service-token-guard.js';
export {
  CLOCK,
  CRASH_POINTS,
  DATABASE,
  EVENT_LOG,
  JOB_QUEUE,
  LOGGER,
  METRICS,
  PUBLISHER,
  READINESS,
  SERVICE_CONFIG,
  systemClock,
  type Clock,
} from './tokens.js';
