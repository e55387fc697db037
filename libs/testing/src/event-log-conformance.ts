/**
 * What every event log must do, with the delivery algorithm over it. An adapter's spec is one call:
 *
 *     eventLogConformance('Kafka', { openLog: async () => new KafkaEventLog({ ... }) });
 */
import type { EventLog } from '@lacuna/messaging';
import type { PostgresDatabase } from '@lacuna/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { deliveryCases } from './conformance/delivery-cases.js';
import { EffectTable1800000000001 } from './conformance/effect-table.js';
import { logCases } from './conformance/log-cases.js';
import { parkingCases } from './conformance/parking-cases.js';
import { Workbench } from './conformance/workbench.js';
import { freshServiceDatabase, type ServiceDatabase } from './database-fixture.js';

export interface EventLogFactory {
  /** A new client of the log, not started; the suite starts and stops it. `database` is the service's, with the Postgres log's tables. */
  openLog(database: PostgresDatabase): Promise<EventLog>;
}

/** Declares the tests. Topics and groups are fresh in each. */
export function eventLogConformance(name: string, factory: EventLogFactory): void {
  describe(`event log ${name}`, () => {
    let service: ServiceDatabase;
    let bench: Workbench;
    beforeAll(async () => {
      service = await freshServiceDatabase('conformance', [EffectTable1800000000001], { poolMax: 20 });
    });
    afterAll(() => service.drop());
    beforeEach(async () => {
      bench = new Workbench(service.database, (database) => factory.openLog(database));
      await bench.setUp();
    });
    afterEach(() => bench.tearDown());

    describe('the log', () => logCases(() => bench));
    describe('delivery', () => deliveryCases(() => bench));
    describe('what comes behind a dead letter of its key', () => parkingCases(() => bench));
  });
}
