/** Decides ended generations in the caller's transaction: load, decide, record. The receipt log's head is locked last. */
import { type EncodedEvent, encodeEvent, events, type SearchStarted } from '@lacuna/events';
import type { Transaction } from '@lacuna/messaging';
import { sealReceipt, type SigningKey } from '@lacuna/receipts';
import { type EvidenceEvent, generationKey } from './evidence-store.js';
import { recordVerdicts } from './generation-store.js';
import { type Reached, reachVerdict } from './reach-verdict.js';
import { appendReceipts, saltsOf } from './receipt-log.js';
import { arrivedRegisters } from './register-arrival.js';

/** What deciding takes besides the evidence. */
export interface DecideInput {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly signingKey: SigningKey;
  readonly newSalt: () => Buffer;
  readonly now: Date;
}

/** Groups whose register version has not arrived stay undecided: its arrival decides them. */
export async function decideGenerations(input: DecideInput, groups: readonly EvidenceEvent[][]): Promise<EncodedEvent[]> {
  const { tx, tenantId, signingKey, newSalt, now } = input;
  if (groups.length === 0) return [];
  const registers = await arrivedRegisters(tx, tenantId, groups.map(registerHashOf));
  const ready = groups.flatMap((group) => {
    const register = registers.get(registerHashOf(group));
    return register ? [{ group, register }] : [];
  });
  if (ready.length === 0) return [];
  const questionIds = ready.map(({ group }) => questionIdOf(group));
  const salts = await saltsOf(tx, tenantId, questionIds, newSalt);
  const decidedAt = now.toISOString();
  const reached = ready.map(({ group, register }) =>
    reachVerdict({ events: group, register, salt: salts.get(questionIdOf(group)) as Buffer, decidedAt }),
  );
  return record(tx, tenantId, reached, signingKey);
}

async function record(tx: Transaction, tenantId: string, reached: readonly Reached[], signingKey: SigningKey): Promise<EncodedEvent[]> {
  const sealed = reached.map(({ verdict, receipt }) => ({ verdict, envelope: sealReceipt(receipt, signingKey).envelopeBytes }));
  const verdicts = reached.map(({ verdict }) => verdict);
  await recordVerdicts(tx, tenantId, verdicts);
  const receipts = sealed.map(({ verdict, envelope }) => ({ ...verdict, envelope }));
  const first = await appendReceipts(tx, tenantId, receipts);
  return sealed.flatMap(({ verdict, envelope }, index) => {
    const { questionId, generation, receiptId, receiptHash, decidedAt } = verdict;
    const leafIndex = Number(first + BigInt(index));
    const receipt = { receiptId, receiptHash, leafIndex, envelope: envelope.toString('base64') };
    const appended = { tenantId, questionId, generation, ...receipt, at: decidedAt };
    return [encodeEvent(events.verdictReached, verdict, 'verdict'), encodeEvent(events.receiptAppended, appended, 'verdict')];
  });
}

/** Stored events by generation, each generation's in log order. */
export function groupsOf(stored: readonly EvidenceEvent[]): EvidenceEvent[][] {
  const groups = new Map<string, EvidenceEvent[]>();
  for (const event of stored) {
    const group = groups.get(generationKey(event));
    if (group) group.push(event);
    else groups.set(generationKey(event), [event]);
  }
  return [...groups.values()];
}

/** @throws when the generation's search.started is not in the log before its end: the log has lost something. */
export function registerHashOf(group: readonly EvidenceEvent[]): string {
  const started = group.find((event) => event.type === events.searchStarted.type);
  if (!started) throw new Error(`generation ${group[0]?.generation} of ${group[0]?.questionId} ended without its search.started`);
  return (started.data as SearchStarted).registerHash;
}

const questionIdOf = (group: readonly EvidenceEvent[]): string => (group[0] as EvidenceEvent).questionId;
