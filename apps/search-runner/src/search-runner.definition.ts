import { topics } from '@lacuna/events';
import type { ServiceDefinition } from '@lacuna/runtime';
import { ControlChecks1764720000000 } from './migrations/1764720000000-control-checks.js';
import { SearchRunnerTables1764547200000 } from './migrations/1764547200000-search-runner-tables.js';
import { SourceRates1765152000000 } from './migrations/1765152000000-source-rates.js';
import { SearchRunnerModule } from './search-runner.module.js';

export const searchRunner: ServiceDefinition = {
  name: 'search-runner',
  schema: 'search_runner',
  migrations: [SearchRunnerTables1764547200000, ControlChecks1764720000000, SourceRates1765152000000],
  consumes: [topics.questions, topics.registers],
  keepsStatePerKey: [topics.questions],
  module: SearchRunnerModule,
};
