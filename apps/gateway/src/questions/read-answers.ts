import type { Database } from '@lacuna/messaging';
import { DATABASE } from '@lacuna/runtime';
import { topics } from '@lacuna/events';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/api-keys.js';
import { revealTo } from '../access/reveal-to.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { unknownQuestion } from '../http/problems.js';
import { completenessOfList } from '../projections/completeness-of-list.js';
import { ReadModelPosition } from '../projections/read-model-position.js';
import { listAnswerRows, readAnswerRows, type AnswerRow } from './answer-row.js';
import { buildAnswer, isSettled } from './answer.js';
import type { AnswerList, AnswerView } from './answer.dto.js';

/** Answers from the read model. Questions are gateway's own rows: one that is not there was never asked. */
@Injectable()
export class ReadAnswers {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly position: ReadModelPosition,
  ) {}

  /** @throws the 404 problem for a question that this tenant never asked. */
  async one(who: Principal, questionId: string): Promise<{ answer: AnswerView; settled: boolean }> {
    const [row] = await this.rows(who.tenantId, [questionId]);
    if (!row) throw unknownQuestion(questionId);
    return { answer: this.show(who, row), settled: isSettled(row) };
  }

  /** The answer as this caller may see it. */
  show(who: Principal, row: AnswerRow): AnswerView {
    return buildAnswer(row, revealTo(who, { name: row.register_name }));
  }

  async newest(who: Principal, cursor: string | undefined, rowsMax: number): Promise<AnswerList> {
    const after = decodeCursor(cursor, { askedAt: 'time', questionId: 'string' });
    const upToDate = await this.position.reachesAll([topics.verdicts, topics.writes]);
    const rows = await this.database.transaction(async (tx) => {
      await tx.actFor(who.tenantId);
      return listAnswerRows(tx, who.tenantId, after, rowsMax + 1);
    });
    const shown = rows.slice(0, rowsMax);
    const more = rows.length > rowsMax;
    return {
      ...completenessOfList({ more, upToDate }),
      items: shown.map((row) => this.show(who, row)),
      nextCursor: more ? cursorBehind(shown.at(-1)) : null,
    };
  }

  /** Those of these that are settled, by id; for many waiting requests at once. */
  async settledAmong(tenantId: string, questionIds: readonly string[]): Promise<ReadonlyMap<string, AnswerRow>> {
    const rows = await this.rows(tenantId, questionIds);
    return new Map(rows.filter(isSettled).map((row) => [row.question_id, row]));
  }

  private rows(tenantId: string, questionIds: readonly string[]): Promise<AnswerRow[]> {
    return this.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      return readAnswerRows(tx, tenantId, questionIds);
    });
  }
}

function cursorBehind(row: AnswerRow | undefined): string | null {
  return row ? encodeCursor({ askedAt: row.asked_at.toISOString(), questionId: row.question_id }) : null;
}
