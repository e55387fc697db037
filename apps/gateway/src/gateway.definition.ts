import { topics } from '@lacuna/events';
import type { ServiceDefinition } from '@lacuna/runtime';
import { GatewayModule } from './gateway.module.js';
import { serveDocs } from './http/openapi.js';
import { gatewayMigrations } from './migrations/gateway-migrations.js';

export const gatewayDefinition: ServiceDefinition = {
  name: 'gateway',
  schema: 'gateway',
  migrations: gatewayMigrations,
  consumes: [topics.searches, topics.verdicts, topics.receipts, topics.writes, topics.reviews, topics.deliveries],
  readModels: [
    { topic: topics.searches, tables: ['search_progress'] },
    { topic: topics.verdicts, tables: ['verdict'] },
    { topic: topics.receipts, tables: ['receipt'] },
    { topic: topics.writes, tables: ['authorisation', 'write_answer'] },
    { topic: topics.reviews, tables: ['review_case'] },
    { topic: topics.deliveries, tables: ['stalled_delivery'] },
  ],
  module: GatewayModule,
  prepare: serveDocs,
};
