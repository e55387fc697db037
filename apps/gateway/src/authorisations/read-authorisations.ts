import { topics } from '@lacuna/events';
import type { Database } from '@lacuna/messaging';
import { DATABASE } from '@lacuna/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/api-keys.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { notYetRead, unknownAuthorisation } from '../http/problems.js';
import { completenessOfList } from '../projections/completeness-of-list.js';
import { CATCH_UP_MS_MAX, ReadModelPosition } from '../projections/read-model-position.js';
import { type AuthorisationFilter, type AuthorisationRow, listAuthorisationRows, readAuthorisation } from './authorisation-row.js';
import { authorisationView } from './authorisation-view.js';
import type { AuthorisationList, AuthorisationView } from './authorisation.dto.js';

@Injectable()
export class ReadAuthorisations {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly position: ReadModelPosition,
  ) {}

  async one(who: Principal, authorisationId: string): Promise<AuthorisationView> {
    const upToDate = await this.isUpToDate();
    return authorisationView(await this.row(who, authorisationId), upToDate);
  }

  /** @throws the 404 problem once the read model has seen all that the log had, else the 503 problem. */
  async row(who: Principal, authorisationId: string): Promise<AuthorisationRow> {
    const found = await this.find(who, authorisationId);
    if (found) return found;
    if (!(await this.position.reaches(topics.writes, CATCH_UP_MS_MAX))) throw notYetRead(`authorisation ${authorisationId}`);
    const late = await this.find(who, authorisationId);
    if (!late) throw unknownAuthorisation(authorisationId);
    return late;
  }

  async list(who: Principal, filter: AuthorisationFilter, cursor: string | undefined, rowsMax: number): Promise<AuthorisationList> {
    const after = decodeCursor(cursor, { over: 'boolean', requestedAt: 'time', authorisationId: 'string' });
    const upToDate = await this.isUpToDate();
    const rows = await this.database.transaction(async (tx) => {
      await tx.actFor(who.tenantId);
      return listAuthorisationRows(tx, who.tenantId, filter, after, rowsMax + 1);
    });
    const more = rows.length > rowsMax;
    const shown = rows.slice(0, rowsMax);
    return {
      ...completenessOfList({ more, upToDate }),
      items: shown.map((row) => authorisationView(row, upToDate)),
      nextCursor: more ? cursorBehind(shown.at(-1)) : null,
    };
  }

  isUpToDate(): Promise<boolean> {
    return this.position.reachesAll([topics.writes]);
  }

  private find(who: Principal, authorisationId: string): Promise<AuthorisationRow | null> {
    return this.database.transaction(async (tx) => {
      await tx.actFor(who.tenantId);
      return readAuthorisation(tx, who.tenantId, authorisationId);
    });
  }
}

function cursorBehind(row: AuthorisationRow | undefined): string | null {
  if (!row) return null;
  return encodeCursor({ over: row.over_at !== null, requestedAt: row.body.at, authorisationId: row.body.authorisationId });
}
