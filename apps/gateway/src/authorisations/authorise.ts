import { encodeEvent, events, type AuthorisationDecided } from '@lacuna/events';
import type { EventPublisher, Transaction } from '@lacuna/messaging';
import { CLOCK, PUBLISHER, type Clock } from '@lacuna/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/api-keys.js';
import { conflict, invalidFields, ownWrite, unknownAuthorisation } from '../http/problems.js';
import { outboxSourceOf } from '../questions/outbox-source.js';
import { type AuthorisationRow, lockAuthorisation, readAuthorisation } from './authorisation-row.js';
import { authorisationView } from './authorisation-view.js';
import type { AuthorisationView, DecideAuthorisationBody } from './authorisation.dto.js';
import { decideAuthorisation } from './decide-authorisation.js';

/** A person decides on an authorisation, once: write-guard is told with it, or nothing is recorded. */
@Injectable()
export class Authorise {
  constructor(
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws the problem for one that is unknown, over, decided otherwise, the caller's own under four-eyes, or of another payload. */
  async decide(who: Principal, found: AuthorisationRow, body: DecideAuthorisationBody, upToDate: boolean): Promise<AuthorisationView> {
    const { authorisationId, questionId } = found.body;
    const row = await this.publisher.record(outboxSourceOf(who.tenantId, questionId), who.tenantId, async (tx) => {
      const locked = await lockAuthorisation(tx, who.tenantId, authorisationId);
      if (!locked) throw unknownAuthorisation(authorisationId);
      const recorded = await this.record(tx, who, locked, body);
      return { events: recorded, result: (await readAuthorisation(tx, who.tenantId, authorisationId)) ?? locked };
    });
    return authorisationView(row, upToDate);
  }

  private async record(tx: Transaction, { tenantId, principal }: Principal, row: AuthorisationRow, body: DecideAuthorisationBody) {
    const decision = decideAuthorisation(row, { tenantId, principal, decidedAt: this.clock.now(), body });
    if (decision.outcome === 'invalid') throw invalidFields(decision.problems);
    if (decision.outcome === 'own-write') throw ownWrite();
    if (decision.outcome === 'conflict') throw conflict(`Authorisation ${row.body.authorisationId} ${decision.why}.`);
    if (decision.outcome === 'repeated') return [];
    await insertDecision(tx, decision.decided);
    return [encodeEvent(events.authorisationDecided, decision.decided, 'gateway')];
  }
}

async function insertDecision(
  tx: Transaction,
  { tenantId, authorisationId, decision, principal, note, at }: AuthorisationDecided,
): Promise<void> {
  await tx.query(
    `insert into authorisation_decision (tenant_id, authorisation_id, decision, principal, note, decided_at) values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, authorisationId, decision, principal, note, at],
  );
}
