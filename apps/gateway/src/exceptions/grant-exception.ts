import { encodeEvent, events, type ExceptionGranted } from '@lacuna/events';
import type { EventPublisher, Transaction } from '@lacuna/messaging';
import { CLOCK, PUBLISHER, type Clock } from '@lacuna/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/api-keys.js';
import { conflict, invalidFields, ownWrite, unknownQuestion } from '../http/problems.js';
import { outboxSourceOf } from '../questions/outbox-source.js';
import { decideException, type HeldQuestion } from './decide-exception.js';
import type { GrantExceptionBody } from './exception.dto.js';

/** A person accepts the risk of a hold: write-guard is told with it, or nothing is recorded. The verdict stays what it is. */
@Injectable()
export class GrantException {
  constructor(
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws the problem for a question that is unknown, not held, excepted otherwise, the caller's own under four-eyes, or changed since. */
  async grant(who: Principal, questionId: string, body: GrantExceptionBody): Promise<void> {
    await this.publisher.record<void>(outboxSourceOf(who.tenantId, questionId), who.tenantId, async (tx) => {
      const held = await lockHeld(tx, who.tenantId, questionId);
      if (!held) throw unknownQuestion(questionId);
      const decision = decideException(held, { tenantId: who.tenantId, principal: who.principal, at: this.clock.now(), body });
      if (decision.outcome === 'invalid') throw invalidFields(decision.problems);
      if (decision.outcome === 'own-write') throw ownWrite();
      if (decision.outcome === 'conflict') throw conflict(`Question ${questionId} ${decision.why}.`);
      if (decision.outcome === 'repeated') return { events: [], result: undefined };
      await insertException(tx, decision.exception);
      return { events: [encodeEvent(events.exceptionGranted, decision.exception, 'gateway')], result: undefined };
    });
  }
}

interface HeldRow {
  readonly principal: string;
  readonly intent_kind: string;
  readonly payload_hash: string | null;
  readonly policy: string | null;
  readonly verdict: { readonly generation: number; readonly verdict: string; readonly receiptHash: string } | null;
  readonly granted: HeldQuestion['granted'];
}

/** Nobody else excepts it until this transaction ends. */
async function lockHeld(tx: Transaction, tenantId: string, questionId: string): Promise<HeldQuestion | null> {
  await tx.query('select from question where tenant_id = $1 and question_id = $2 for update', [tenantId, questionId]);
  const [row] = await tx.query<HeldRow>(
    `select q.principal, q.intent_kind, q.payload_hash, r.body ->> 'policy' as policy, v.body as verdict,
        (select e.body from exception e where e.tenant_id = q.tenant_id and e.question_id = q.question_id
          and e.body ->> 'receiptHash' = v.body ->> 'receiptHash') as granted
       from question q
       left join register r on r.tenant_id = q.tenant_id and r.name = q.register_name and r.hash = q.register_hash
       left join lateral (select v.body from verdict v where v.tenant_id = q.tenant_id and v.question_id = q.question_id
         order by v.generation desc limit 1) v on true
      where q.tenant_id = $1 and q.question_id = $2`,
    [tenantId, questionId],
  );
  if (!row) return null;
  const { verdict } = row;
  return {
    questionId,
    principal: row.principal,
    intentKind: row.intent_kind,
    payloadHash: row.payload_hash,
    policy: row.policy,
    generation: verdict?.generation ?? 1,
    verdict: verdict?.verdict ?? null,
    receiptHash: verdict?.receiptHash ?? null,
    granted: row.granted,
  };
}

async function insertException(tx: Transaction, exception: ExceptionGranted): Promise<void> {
  const { tenantId, exceptionId, questionId, generation, at } = exception;
  await tx.query(
    'insert into exception (tenant_id, exception_id, question_id, generation, body, granted_at) values ($1, $2, $3, $4, $5, $6)',
    [tenantId, exceptionId, questionId, generation, JSON.stringify(exception), at],
  );
}
