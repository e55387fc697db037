/** What RuntimeModule gives to every module of a service. */

/** Time as an input. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Database of libs/messaging. */
export const DATABASE = Symbol('lacuna:database');
/** EventLog of libs/messaging. */
export const EVENT_LOG = Symbol('lacuna:event-log');
/** JobQueue of libs/messaging. */
export const JOB_QUEUE = Symbol('lacuna:job-queue');
/** EventPublisher of libs/messaging. */
export const PUBLISHER = Symbol('lacuna:publisher');
/** Clock. */
export const CLOCK = Symbol('lacuna:clock');
/** ServiceConfig. */
export const SERVICE_CONFIG = Symbol('lacuna:service-config');
/** Logger of pino, with the service's name. */
export const LOGGER = Symbol('lacuna:logger');
/** CrashPoints of libs/messaging; passing one does nothing outside tests. */
export const CRASH_POINTS = Symbol('lacuna:crash-points');
/** ServiceMetrics. */
export const METRICS = Symbol('lacuna:metrics');
/** Readiness. */
export const READINESS = Symbol('lacuna:readiness');
