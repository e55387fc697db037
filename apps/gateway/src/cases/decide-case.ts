import { encodeEvent, events, type ReviewDecided } from '@lacuna/events';
import type { EventPublisher, Transaction } from '@lacuna/messaging';
import { CLOCK, PUBLISHER, type Clock } from '@lacuna/runtime';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/api-keys.js';
import { revealTo } from '../access/reveal-to.js';
import { claimKey } from '../http/idempotency-key.js';
import { conflict, invalidFields, unknownCase } from '../http/problems.js';
import { outboxSourceOf } from '../questions/outbox-source.js';
import { lockCase, readCase, type CaseRow } from './case-row.js';
import { caseView } from './case-view.js';
import type { CaseView, DecideCaseBody } from './case.dto.js';
import { decideReview, decisionIdOf } from './decide-review.js';

/** A person decides a case: the decision, and the rerun that it asks for, are recorded together or not at all. */
@Injectable()
export class DecideCase {
  constructor(
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws the problems for a case that is unknown, closed or decided otherwise, and for records that it does not name. */
  async decide(
    who: Principal,
    { opened, upToDate }: { opened: CaseRow; upToDate: boolean },
    body: DecideCaseBody,
    key: string | null,
  ): Promise<CaseView> {
    const { caseId, questionId } = opened.body;
    const decided = await this.publisher.record(outboxSourceOf(who.tenantId, questionId), who.tenantId, async (tx) => {
      await this.claim(tx, who, caseId, body, key);
      const row = await lockCase(tx, who.tenantId, caseId);
      if (!row) throw unknownCase(caseId);
      const recorded = await this.record(tx, who, row, body);
      return { events: recorded, result: (await readCase(tx, who.tenantId, caseId)) ?? row };
    });
    return caseView(decided, { revealed: revealTo(who, { name: opened.body.registerName }), upToDate });
  }

  private async claim(tx: Transaction, who: Principal, caseId: string, body: DecideCaseBody, key: string | null): Promise<void> {
    const { tenantId, principal } = who;
    const bodyHash = sha256Hex(canonicalJson(JSON.parse(JSON.stringify({ caseId, body }))));
    const resultId = decisionIdOf(tenantId, caseId);
    await claimKey(tx, { tenantId, principal, operation: 'decide', key, bodyHash, resultId, now: this.clock.now() });
  }

  private async record(tx: Transaction, { tenantId, principal }: Principal, row: CaseRow, body: DecideCaseBody) {
    const decision = decideReview(row, { tenantId, principal, decidedAt: this.clock.now(), body });
    if (decision.outcome === 'invalid') throw invalidFields(decision.problems);
    if (decision.outcome === 'conflict') throw conflict(`Case ${row.body.caseId} ${decision.why}.`);
    if (decision.outcome === 'repeated') return [];
    await insertDecision(tx, decision.decided, row.body.generation);
    const reviewed = encodeEvent(events.reviewDecided, decision.decided, 'gateway');
    return decision.rerun ? [reviewed, encodeEvent(events.questionRerun, decision.rerun, 'gateway')] : [reviewed];
  }
}

/** A rerun counts from the newest generation known now: the case may be of an older one. */
const newestKnown = `greatest($5::int,
  (select max(v.generation) from verdict v where v.tenant_id = $1 and v.question_id = $4),
  (select max(p.generation) from search_progress p where p.tenant_id = $1 and p.question_id = $4))`;

async function insertDecision(tx: Transaction, decided: ReviewDecided, generation: number): Promise<void> {
  const { tenantId, caseId, decisionId, questionId, decision, records, principal, note, at } = decided;
  const named = JSON.stringify(records.map(({ source, recordId }) => ({ source, recordId })));
  await tx.query(
    `insert into decision (tenant_id, case_id, decision_id, question_id, generation, decision, records, principal, note, decided_at)
     values ($1, $2, $3, $4, ${newestKnown}, $6, $7, $8, $9, $10)`,
    [tenantId, caseId, decisionId, questionId, generation, decision, named, principal, note, at],
  );
}
