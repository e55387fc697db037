import { topics } from '@lacuna/events';
import type { ServiceDefinition } from '@lacuna/runtime';
import { SearchRunnerTables1764547200000 } from './migrations/1764547200000-search-runner-tables.js';
import { SearchRunnerModule } from './search-runner.module.js';

export const searchRunner: ServiceDefinition = {
  name: 'search-runner',
  schema: 'search_runner',
  migrations: [SearchRunnerTables1764547200000],
  consumes: [topics.questions, topics.registers],
  keepsStatePerKey: [topics.questions],
  module: SearchRunnerModule,
};
