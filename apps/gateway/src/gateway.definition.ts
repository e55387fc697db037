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
  module: GatewayModule,
  prepare: serveDocs,
};
