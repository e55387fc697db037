/** The state of the conformance suite's service: one row per handled event, with nothing that would hide a second one. */
import { tenantTable } from '@lacuna/postgres';
import type { PostgresDatabase } from '@lacuna/postgres';
import type { TenantBatch } from '@lacuna/messaging';
import type { MissRecorded } from '@lacuna/events';

interface Runner {
  query(sql: string): Promise<unknown>;
}

export class EffectTable1800000000001 {
  readonly name = 'EffectTable1800000000001';

  async up(runner: Runner): Promise<void> {
    await runner.query(`create table effect (
      tenant_id text not null, id bigint generated always as identity, "group" text not null, topic text not null,
      question_id text not null, n integer not null, primary key (tenant_id, id))`);
    for (const statement of tenantTable('effect')) await runner.query(statement);
  }

  async down(runner: Runner): Promise<void> {
    await runner.query('drop table effect');
  }
}

export interface Effect {
  readonly key: string;
  readonly n: number;
}

export async function applyEffects(batch: TenantBatch, group: string): Promise<void> {
  const data = batch.events.map((event) => event.data as MissRecorded);
  await batch.tx.query(
    `insert into effect (tenant_id, "group", topic, question_id, n)
      select $1, $2, $3, e.question_id, e.n from unnest($4::text[], $5::integer[]) with ordinality as e(question_id, n, ordinal) order by ordinal`,
    [batch.tenantId, group, batch.topic, data.map((event) => event.questionId), data.map((event) => event.misses)],
  );
}

/** In the order in which they were applied. */
export async function effectsOf(database: PostgresDatabase, tenants: readonly string[], group: string, topic: string): Promise<Effect[]> {
  return database.transaction(async (tx) => {
    const effects: Effect[] = [];
    for (const tenantId of tenants) {
      await tx.actFor(tenantId);
      const rows = await tx.query<{ question_id: string; n: number }>(
        'select question_id, n from effect where "group" = $1 and topic = $2 order by id',
        [group, topic],
      );
      effects.push(...rows.map((row) => ({ key: `${tenantId}:${row.question_id}`, n: row.n })));
    }
    return effects;
  });
}
