/** Questions that want a record created, with the verdicts that may allow it. */
import { type EncodedEvent, events, type QuestionAsked, type VerdictReached } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { anIdentifier, anIntent, aQuestionAsked, aRegisterPublished, aRegisterWithTarget, aVerdictReached, freshId } from '@lacuna/testing';
import { told } from './running-write-guard.js';

export interface WantedRecord {
  readonly tenantId: string;
  readonly register: Register;
  readonly question: QuestionAsked;
  readonly verdict: VerdictReached;
  /** As told by the log. */
  readonly published: EncodedEvent;
  readonly asked: EncodedEvent;
  readonly reached: EncodedEvent;
  /** The verdict of a later generation. */
  later(generation: number, changes?: Partial<VerdictReached>): EncodedEvent;
}

export interface WantedChanges {
  readonly tenantId?: string;
  readonly register?: Register;
  readonly reference?: string;
  readonly question?: Partial<QuestionAsked>;
  readonly verdict?: Partial<VerdictReached>;
}

export const aCreation = (payload: Record<string, unknown> = { subject: 'lamp broken' }) =>
  anIntent({ kind: 'create', payload, payloadHash: sha256Hex(canonicalJson(payload as never)) });

/** By default a no-match, fresh at `atWriting`, on a register that writes by itself. */
export function aWantedRecord(changes: WantedChanges = {}): WantedRecord {
  const tenantId = changes.tenantId ?? freshId('tenant');
  const register = changes.register ?? aRegisterWithTarget();
  const question = aQuestionAsked({
    tenantId,
    registerHash: register.hash,
    identifiers: [anIdentifier({ name: 'reference', value: changes.reference ?? freshId('sr') })],
    intent: aCreation(),
    ...changes.question,
  });
  const { questionId } = question;
  const verdict = aVerdictReached({ tenantId, questionId, registerHash: register.hash, ...changes.verdict });
  return {
    tenantId,
    register,
    question,
    verdict,
    get published() {
      return told(events.registerPublished, aRegisterPublished({ tenantId }, register));
    },
    get asked() {
      return told(events.questionAsked, question);
    },
    get reached() {
      return told(events.verdictReached, verdict);
    },
    later: (generation, laterChanges = {}) => told(events.verdictReached, { ...verdict, generation, ...laterChanges }),
  };
}
