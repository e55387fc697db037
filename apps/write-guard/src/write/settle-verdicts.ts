/**
 * Settles the writes that a batch of verdicts opens or refuses, in the batch's transaction: load, judge, take the slots, record.
 * 1. A verdict is answered once. 2. A record is made only with its slot. 3. A slot that is neither taken nor visible is not ours to judge:
 * the answer is `unknown`, never `created` and never a guessed `exists`.
 */
import { type EncodedEvent, encodeEvent, events, type QuestionRerun, type VerdictReached, type WriteSettled } from '@lacuna/events';
import { keyParts, type Register } from '@lacuna/evidence';
import type { Transaction } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { canonicalJson, keyDigest, sha256Hex } from '@lacuna/receipts';
import { grant, type GrantedWrite, keepAnswers, unanswered } from './authorisation-store.js';
import { judgeWrite, type WantedWrite } from './judge-write.js';
import { countStaleReruns, letWait, wantedWrites } from './question-store.js';
import { type SlotClaim, slotKey, slotsByKey, takeSlots } from './slot-store.js';

/** How long an authorisation by policy `auto` lives; it is used in the transaction that makes it. */
const AUTO_AUTHORISATION_MS = 3_600_000;

interface Opened {
  readonly verdict: VerdictReached;
  readonly claim: SlotClaim;
  readonly payloadHash: string;
}

export async function settleVerdicts(
  tx: Transaction,
  tenantId: string,
  verdicts: readonly VerdictReached[],
  now: Date,
): Promise<EncodedEvent[]> {
  const open = await unanswered(tx, tenantId, verdicts);
  if (open.length === 0) return [];
  const wanted = await wantedWrites(tx, tenantId, open);
  const registers = await registerVersions<Register>(
    tx,
    tenantId,
    open.map((verdict) => verdict.registerHash),
  );
  const known = open.filter((verdict) => wanted.has(verdict.questionId) && registers.has(verdict.registerHash));
  const early = open.filter((verdict) => !known.includes(verdict));
  if (early.length > 0) await letWait(tx, tenantId, early, now);
  return settleKnown(tx, tenantId, known, wanted, registers, now);
}

async function settleKnown(
  tx: Transaction,
  tenantId: string,
  verdicts: readonly VerdictReached[],
  wanted: ReadonlyMap<string, WantedWrite>,
  registers: ReadonlyMap<string, Register>,
  now: Date,
): Promise<EncodedEvent[]> {
  const answers: WriteSettled[] = [];
  const reruns: QuestionRerun[] = [];
  const counts = new Map<string, number>();
  const opened: Opened[] = [];
  for (const verdict of verdicts) {
    const write = wanted.get(verdict.questionId) as WantedWrite;
    const register = registers.get(verdict.registerHash) as Register;
    const judgement = judgeWrite(write, verdict, register, now.getTime());
    if (judgement.type === 'refuse') answers.push(answerOf(verdict, register, write, { answer: 'refused', reason: judgement.reason }, now));
    if (judgement.type === 'ask-again') {
      counts.set(verdict.questionId, judgement.staleReruns);
      reruns.push(rerunOf(verdict, now));
    }
    if (judgement.type === 'write') opened.push(openedOf(verdict, register, write));
  }
  const { granted, settled } = await writeOpened(tx, tenantId, opened, now);
  await keepAnswers(tx, tenantId, [...answers, ...settled]);
  if (counts.size > 0) await countStaleReruns(tx, tenantId, counts);
  return eventsOf(answers, granted, settled, reruns, tenantId, now);
}

/** One transaction for slot, record, authorisation, permit and answer. */
async function writeOpened(
  tx: Transaction,
  tenantId: string,
  opened: readonly Opened[],
  now: Date,
): Promise<{ granted: GrantedWrite[]; settled: WriteSettled[] }> {
  if (opened.length === 0) return { granted: [], settled: [] };
  const claims = opened.map(({ claim }) => claim);
  const holders = await takeSlots(tx, tenantId, claims, now);
  const slots = await slotsByKey(tx, tenantId, claims);
  const granted: GrantedWrite[] = [];
  const settled = opened.map((write) => {
    const created = holders.get(slotKey(write.claim)) === write.claim.questionId;
    const permit = created ? grantedOf(write, tenantId, now) : null;
    if (permit) granted.push(permit);
    const slot = slots.get(slotKey(write.claim));
    const outcome = created
      ? { answer: 'created' as const, recordId: write.claim.recordId }
      : slot?.state === 'settled'
        ? { answer: 'exists' as const, recordId: slot.recordId }
        : { answer: 'unknown' as const, reason: slot ? 'write-in-flight' : 'write-slot-unseen' };
    return settledOf(write.verdict, write.claim, { ...outcome, permitId: permit?.permitId ?? null }, now);
  });
  await grant(tx, tenantId, granted, now);
  return { granted, settled };
}

function openedOf(verdict: VerdictReached, register: Register, { asked }: WantedWrite): Opened {
  const target = register.target as NonNullable<Register['target']>;
  const digest = digestOf(register, asked);
  return {
    verdict,
    payloadHash: asked.intent.payloadHash as string,
    claim: {
      target: target.name,
      keyDigest: digest,
      questionId: verdict.questionId,
      recordId: `rec_${sha256Hex(canonicalJson([verdict.tenantId, target.name, digest, 1])).slice(0, 32)}`,
      payload: asked.intent.payload as Record<string, unknown>,
      principal: asked.principal,
    },
  };
}

const digestOf = (register: Register, asked: WantedWrite['asked']): string =>
  keyDigest(register.target?.policyId ?? 'none', [...keyParts(register, asked.identifiers)]);

function grantedOf({ verdict, claim, payloadHash }: Opened, tenantId: string, now: Date): GrantedWrite {
  const id = sha256Hex(canonicalJson([tenantId, verdict.questionId, verdict.generation])).slice(0, 32);
  return {
    authorisationId: `auth_${id}`,
    permitId: `permit_${id}`,
    questionId: verdict.questionId,
    generation: verdict.generation,
    target: claim.target,
    keyDigest: claim.keyDigest,
    payloadHash,
    receiptHash: verdict.receiptHash,
    expiresAt: new Date(now.getTime() + AUTO_AUTHORISATION_MS),
  };
}

type Outcome = Pick<WriteSettled, 'answer'> & Partial<Pick<WriteSettled, 'recordId' | 'reason' | 'permitId'>>;

const answerOf = (verdict: VerdictReached, register: Register, { asked }: WantedWrite, outcome: Outcome, now: Date): WriteSettled =>
  settledOf(verdict, { target: register.target?.name ?? 'none', keyDigest: digestOf(register, asked) }, outcome, now);

const settledOf = (
  verdict: VerdictReached,
  slot: { readonly target: string; readonly keyDigest: string },
  outcome: Outcome,
  now: Date,
): WriteSettled => ({
  tenantId: verdict.tenantId,
  questionId: verdict.questionId,
  generation: verdict.generation,
  answer: outcome.answer,
  target: slot.target,
  keyDigest: slot.keyDigest,
  recordId: outcome.recordId ?? null,
  reason: outcome.reason ?? null,
  permitId: outcome.permitId ?? null,
  at: now.toISOString(),
});

const rerunOf = (verdict: VerdictReached, now: Date): QuestionRerun => ({
  tenantId: verdict.tenantId,
  questionId: verdict.questionId,
  causeId: `stale.${verdict.generation}`,
  cause: 'evidence-expired',
  exclusions: [],
  needsAsOf: now.toISOString(),
  at: now.toISOString(),
});

function eventsOf(
  refused: readonly WriteSettled[],
  granted: readonly GrantedWrite[],
  settled: readonly WriteSettled[],
  reruns: readonly QuestionRerun[],
  tenantId: string,
  now: Date,
): EncodedEvent[] {
  const at = now.toISOString();
  return [
    ...granted.flatMap(({ questionId, generation, permitId, authorisationId, receiptHash }) =>
      encodeEvent(events.permitGranted, { tenantId, questionId, generation, permitId, authorisationId, receiptHash, at }, 'write-guard'),
    ),
    ...refused.map(({ questionId, generation, reason }) =>
      encodeEvent(events.permitRefused, { tenantId, questionId, generation, reason: reason ?? 'unknown', at }, 'write-guard'),
    ),
    ...[...refused, ...settled].map((answer) => encodeEvent(events.writeSettled, answer, 'write-guard')),
    ...reruns.map((rerun) => encodeEvent(events.questionRerun, rerun, 'write-guard')),
  ];
}
