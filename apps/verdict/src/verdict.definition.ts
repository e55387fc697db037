import { topics } from '@lacuna/events';
import type { ServiceDefinition } from '@lacuna/runtime';
import { VerdictTables1764547200000 } from './migrations/1764547200000-verdict-tables.js';
import { VerdictModule } from './verdict.module.js';

export const verdict: ServiceDefinition = {
  name: 'verdict',
  schema: 'verdict',
  migrations: [VerdictTables1764547200000],
  consumes: [topics.searches, topics.registers],
  keepsStatePerKey: [topics.searches],
  module: VerdictModule,
};
