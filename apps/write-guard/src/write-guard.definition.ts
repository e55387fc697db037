import { topics } from '@lacuna/events';
import type { ServiceDefinition } from '@lacuna/runtime';
import { WriteGuardTables1764547200000 } from './migrations/1764547200000-write-guard-tables.js';
import { PeopleAuthorise1764633600000 } from './migrations/1764633600000-people-authorise.js';
import { SlotsAreUsedAgain1764892800000 } from './migrations/1764892800000-slots-are-used-again.js';
import { WritesOutside1764979200000 } from './migrations/1764979200000-writes-outside.js';
import { WriteGuardModule } from './write-guard.module.js';

export const writeGuard: ServiceDefinition = {
  name: 'write-guard',
  schema: 'write_guard',
  migrations: [WriteGuardTables1764547200000, PeopleAuthorise1764633600000, SlotsAreUsedAgain1764892800000, WritesOutside1764979200000],
  consumes: [topics.questions, topics.verdicts, topics.registers, topics.reviews, topics.deliveries],
  keepsStatePerKey: [topics.verdicts, topics.reviews],
  module: WriteGuardModule,
};
