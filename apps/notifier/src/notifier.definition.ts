import { topics } from '@lacuna/events';
import type { ServiceDefinition } from '@lacuna/runtime';
import { NotifierTables1764547200000 } from './migrations/1764547200000-notifier-tables.js';
import { NotifierModule } from './notifier.module.js';

export const notifier: ServiceDefinition = {
  name: 'notifier',
  schema: 'notifier',
  migrations: [NotifierTables1764547200000],
  consumes: [topics.verdicts, topics.reviews, topics.deliveries, topics.questions, topics.registers],
  keepsStatePerKey: [topics.verdicts],
  module: NotifierModule,
};
