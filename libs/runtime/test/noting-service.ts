/** A small service: notes every miss that is told of in a table, and tells of a rerun for each. */
import { encodeEvent, events, topics, type EncodedEvent, type MissRecorded } from '@lacuna/events';
import type { Database, EventPublisher, TenantBatch } from '@lacuna/messaging';
import { tenantTable } from '@lacuna/postgres';
import { Body, Controller, Get, Inject, Module, Post, UseGuards, type OnModuleInit } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { OnTopic } from '../src/on-topic.js';
import type { ServiceDefinition } from '../src/service-definition.js';
import { ServiceTokenGuard } from '../src/service-token-guard.js';
import { DATABASE, PUBLISHER } from '../src/tokens.js';

class NotedTable1800000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create table noted (tenant_id text not null, question_id text not null, misses integer not null, primary key (tenant_id, question_id, misses))',
    );
    for (const statement of tenantTable('noted')) await runner.query(statement);
  }

  async down(): Promise<void> {}
}

@Controller('noting')
export class Noting implements OnModuleInit {
  initialised = 0;
  failuresLeft = 0;
  calls = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
  ) {}

  onModuleInit(): void {
    this.initialised += 1;
  }

  @OnTopic(topics.searches)
  async searches({ tx, tenantId, events: received }: TenantBatch): Promise<readonly EncodedEvent[]> {
    this.calls += 1;
    const misses = received.map((event) => event.data as MissRecorded);
    for (const { questionId, misses: count } of misses)
      await tx.query('insert into noted (tenant_id, question_id, misses) values ($1, $2, $3)', [tenantId, questionId, count]);
    if (this.failuresLeft > 0) {
      this.failuresLeft -= 1;
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    }
    return misses.map((miss) => rerun(miss.tenantId, miss.questionId, `miss-${miss.misses}`));
  }

  @Get('rows')
  rows(): Promise<object[]> {
    return this.database.transaction(async (tx) => {
      await tx.actFor('acme');
      return tx.query('select question_id, misses from noted order by question_id, misses');
    });
  }

  @Post('reruns')
  @UseGuards(ServiceTokenGuard)
  async ask(@Body() body: { questionId: string }): Promise<{ questionId: string }> {
    const events = [rerun('acme', body.questionId, 'asked')];
    return this.publisher.record(`rerun:${body.questionId}`, 'acme', async () => ({ events, result: { questionId: body.questionId } }));
  }

  @Get('bug')
  bug(): never {
    throw new TypeError('secret internals');
  }
}

function rerun(tenantId: string, questionId: string, causeId: string): EncodedEvent {
  const data = { tenantId, questionId, causeId, cause: 'test', exclusions: [], needsAsOf: null, at: '2026-01-31T12:00:00.000Z' };
  return encodeEvent(events.questionRerun, data, 'notifier');
}

@Module({ controllers: [Noting] })
class NotingModule {}

export const notingService: ServiceDefinition = {
  name: 'notifier',
  schema: 'notifier',
  migrations: [NotedTable1800000000002],
  consumes: [topics.searches],
  module: NotingModule,
};
