import { topics } from '@lacuna/events';
import type { Database } from '@lacuna/messaging';
import { DATABASE } from '@lacuna/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/api-keys.js';
import { revealTo } from '../access/reveal-to.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { notYetRead, unknownCase } from '../http/problems.js';
import { completenessOfList } from '../projections/completeness-of-list.js';
import { CATCH_UP_MS_MAX, ReadModelPosition } from '../projections/read-model-position.js';
import { listCaseRows, readCase, type CaseRow, type CaseState } from './case-row.js';
import { caseView } from './case-view.js';
import type { CaseList, CaseView } from './case.dto.js';

@Injectable()
export class ReadCases {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly position: ReadModelPosition,
  ) {}

  async one(who: Principal, caseId: string): Promise<CaseView> {
    const upToDate = await this.isUpToDate();
    const row = await this.row(who, caseId);
    return caseView(row, { revealed: revealTo(who, { name: row.body.registerName }), upToDate });
  }

  /** @throws the 404 problem once the read model has seen all that the log had, else the 503 problem. */
  async row(who: Principal, caseId: string): Promise<CaseRow> {
    const found = await this.find(who, caseId);
    if (found) return found;
    if (!(await this.position.reaches(topics.reviews, CATCH_UP_MS_MAX))) throw notYetRead(`case ${caseId}`);
    const late = await this.find(who, caseId);
    if (!late) throw unknownCase(caseId);
    return late;
  }

  async list(who: Principal, state: CaseState, cursor: string | undefined, rowsMax: number): Promise<CaseList> {
    const after = decodeCursor(cursor, { closed: 'boolean', openedAt: 'time', caseId: 'string' });
    const upToDate = await this.isUpToDate();
    const rows = await this.database.transaction(async (tx) => {
      await tx.actFor(who.tenantId);
      return listCaseRows(tx, who.tenantId, state, after, rowsMax + 1);
    });
    const more = rows.length > rowsMax;
    const shown = rows.slice(0, rowsMax);
    return {
      ...completenessOfList({ more, upToDate }),
      items: shown.map((row) => caseView(row, { revealed: revealTo(who, { name: row.body.registerName }), upToDate })),
      nextCursor: more ? cursorBehind(shown.at(-1)) : null,
    };
  }

  /** Whether the read model has seen all that the log has of cases now. */
  isUpToDate(): Promise<boolean> {
    return this.position.reachesAll([topics.reviews]);
  }

  private find(who: Principal, caseId: string): Promise<CaseRow | null> {
    return this.database.transaction(async (tx) => {
      await tx.actFor(who.tenantId);
      return readCase(tx, who.tenantId, caseId);
    });
  }
}

function cursorBehind(row: CaseRow | undefined): string | null {
  if (!row) return null;
  return encodeCursor({ closed: row.closed_at !== null, openedAt: row.body.openedAt, caseId: row.body.caseId });
}
