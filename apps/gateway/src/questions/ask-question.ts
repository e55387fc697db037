import { encodeEvent, events, type QuestionAsked } from '@lacuna/events';
import type { EventPublisher, Transaction } from '@lacuna/messaging';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { CLOCK, PUBLISHER, type Clock } from '@lacuna/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/api-keys.js';
import { claimKey } from '../http/idempotency-key.js';
import { invalidFields, unknownRegister } from '../http/problems.js';
import { newestRegister, registerOf } from '../registers/register-table.js';
import type { AskQuestionBody } from './ask-question.body.js';
import { decideQuestion } from './decide-question.js';
import { NEW_ID, type NewId } from './new-id.js';
import { outboxSourceOf } from './outbox-source.js';

/** Accepts a question: its row and `question.asked` are recorded in one transaction, or nothing is. */
@Injectable()
export class AskQuestion {
  constructor(
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(NEW_ID) private readonly newId: NewId,
  ) {}

  /** Answers the question's id: with a known idempotency key that of the first request. @throws the problem that names what to mend. */
  async ask(who: Principal, body: AskQuestionBody, key: string | null): Promise<string> {
    const { tenantId, principal } = who;
    const resultId = `q-${this.newId()}`;
    const askedAt = this.clock.now();
    const bodyHash = sha256Hex(canonicalJson(JSON.parse(JSON.stringify(body))));
    return this.publisher.record(outboxSourceOf(tenantId, resultId), tenantId, async (tx) => {
      const questionId = await claimKey(tx, { tenantId, principal, operation: 'ask', key, bodyHash, resultId, now: askedAt });
      if (questionId !== resultId) return { events: [], result: questionId };
      const question = await accept(tx, who, { questionId, askedAt, body });
      await insertQuestion(tx, question);
      return { events: [encodeEvent(events.questionAsked, question, 'gateway')], result: questionId };
    });
  }
}

async function accept(
  tx: Transaction,
  { tenantId, principal }: Principal,
  asking: { questionId: string; askedAt: Date; body: AskQuestionBody },
): Promise<QuestionAsked> {
  const register = await newestRegister(tx, tenantId, asking.body.register);
  if (!register) throw unknownRegister(asking.body.register);
  const decision = decideQuestion({ tenantId, principal, ...asking }, registerOf(register));
  if (!decision.ok) throw invalidFields(decision.problems);
  return decision.question;
}

async function insertQuestion(tx: Transaction, question: QuestionAsked): Promise<void> {
  await tx.query(
    `insert into question (tenant_id, question_id, register_name, register_hash, kind, identifiers, principal, budget, intent_kind,
       payload, payload_hash, asked_at, needs_as_of)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      question.tenantId,
      question.questionId,
      question.registerName,
      question.registerHash,
      question.kind,
      JSON.stringify(question.identifiers),
      question.principal,
      JSON.stringify(question.budget),
      question.intent.kind,
      question.intent.payload && JSON.stringify(question.intent.payload),
      question.intent.payloadHash,
      question.askedAt,
      question.needsAsOf,
    ],
  );
}
