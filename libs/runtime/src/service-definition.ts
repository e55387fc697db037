import type { INestApplication, Type } from '@nestjs/common';
import type { Service, TopicName } from '@lacuna/events';
import type { CrashHook, EventLog } from '@lacuna/messaging';
import type { MigrationClass, PostgresDatabase } from '@lacuna/postgres';
import type { Logger } from 'pino';
import type { Clock } from './tokens.js';

export interface ReadModel {
  readonly topic: TopicName;
  /** Filled from this topic alone: a replay from the start empties them first. */
  readonly tables: readonly string[];
}

/** What a service is. Its consumer group has its name. */
export interface ServiceDefinition {
  readonly name: Service;
  /** PostgreSQL schema that it owns. */
  readonly schema: string;
  /** Its own migrations, after the queue tables'. */
  readonly migrations: readonly MigrationClass[];
  /** The topics it has `@OnTopic` handlers for. */
  readonly consumes: readonly TopicName[];
  /** Those of them whose handler keeps state per key: what comes behind a dead letter of its key waits for it. */
  readonly keepsStatePerKey?: readonly TopicName[];
  /** Those of them whose handler does nothing but fill a read model: they can be replayed, and may answer no events. */
  readonly readModels?: readonly ReadModel[];
  readonly module: Type;
  /** What must be set up on the application before it listens, such as the API description. */
  readonly prepare?: (app: INestApplication) => void | Promise<void>;
}

/** What a composition or a test gives instead of what the configuration names. It stays the giver's to close. */
export interface StartOverrides {
  readonly database?: PostgresDatabase;
  readonly log?: EventLog;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Tests: called at each crash point instead of what the configuration names. */
  readonly crash?: CrashHook;
  /** The consumer cannot go on. The default logs it. */
  readonly onFatal?: (error: Error) => void;
}

export interface RunningService {
  /** Where it listens, such as http://127.0.0.1:43210. */
  readonly url: string;
  readonly app: INestApplication;
  /** Stops taking, finishes what is in hand, publishes, commits, leaves; within a bound. */
  stop(): Promise<void>;
}
