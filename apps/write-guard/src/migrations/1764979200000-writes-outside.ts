import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Slots of outside targets. `free`: taken once, and nothing came of it. `sent_at`: the send that is under way or unsettled. `clear_at`: the
 * moment that evidence must be later than to speak of the write. `arrived`: a send arrived, and nobody knows as which record.
 */
export class WritesOutside1764979200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table slot
      drop constraint slot_state_check, add constraint slot_state_check check (state in ('free', 'settled', 'in-flight', 'unknown')),
      add column generation int, add column sent_at timestamptz, add column clear_at timestamptz,
      add column arrived boolean not null default false`);
    await runner.query(`alter table answer drop constraint answer_answer_check,
      add constraint answer_answer_check check (answer in ('created', 'exists', 'refused', 'unknown', 'asked-again', 'sending'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table answer drop constraint answer_answer_check,
      add constraint answer_answer_check check (answer in ('created', 'exists', 'refused', 'unknown', 'asked-again'))`);
    await runner.query(`alter table slot drop constraint slot_state_check, drop column generation, drop column sent_at, drop column clear_at,
      drop column arrived, add constraint slot_state_check check (state in ('settled', 'in-flight', 'unknown'))`);
  }
}
