/** Decides ended generations in the batch's transaction: load, decide, record. The receipt log's head is locked last. */
import { type EncodedEvent, encodeEvent, events, type SearchStarted } from '@lacuna/events';
import type { Register } from '@lacuna/evidence';
import type { Transaction } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { sealReceipt, type SigningKey } from '@lacuna/receipts';
import { type EvidenceEvent, evidenceOf, type GenerationKey } from './evidence-store.js';
import { recordVerdicts } from './generation-store.js';
import { type Reached, reachVerdict } from './reach-verdict.js';
import { appendReceipts, saltsOf } from './receipt-log.js';

export interface DecideInput {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly generations: readonly GenerationKey[];
  readonly signingKey: SigningKey;
  readonly newSalt: () => Buffer;
  readonly now: Date;
}

/** Generations whose register version has not arrived stay undecided: its arrival decides them. */
export async function decideGenerations(input: DecideInput): Promise<EncodedEvent[]> {
  const { tx, tenantId, generations, signingKey, now } = input;
  if (generations.length === 0) return [];
  const groups = groupsOf(await evidenceOf(tx, tenantId, generations));
  const registers = await registerVersions<Register>(tx, tenantId, [...groups.values()].map(registerHashOf));
  const ready = [...groups.values()].filter((group) => registers.has(registerHashOf(group)));
  if (ready.length === 0) return [];
  const salts = await saltsOf(tx, tenantId, ready.map(questionIdOf), input.newSalt);
  const decidedAt = now.toISOString();
  const reached = ready.map((group) =>
    reachVerdict({
      events: group,
      register: registers.get(registerHashOf(group)) as Register,
      salt: salts.get(questionIdOf(group)) as Buffer,
      decidedAt,
    }),
  );
  return record(tx, tenantId, reached, signingKey);
}

async function record(tx: Transaction, tenantId: string, reached: readonly Reached[], signingKey: SigningKey): Promise<EncodedEvent[]> {
  const sealed = reached.map(({ verdict, receipt }) => ({ verdict, envelope: sealReceipt(receipt, signingKey).envelopeBytes }));
  await recordVerdicts(
    tx,
    tenantId,
    reached.map(({ verdict }) => verdict),
  );
  const first = await appendReceipts(
    tx,
    tenantId,
    sealed.map(({ verdict, envelope }) => ({ ...verdict, envelope })),
  );
  return sealed.flatMap(({ verdict, envelope }, index) => {
    const { questionId, generation, receiptId, receiptHash, decidedAt } = verdict;
    const leafIndex = Number(first + BigInt(index));
    const appended = {
      tenantId,
      questionId,
      generation,
      receiptId,
      receiptHash,
      leafIndex,
      envelope: envelope.toString('base64'),
      at: decidedAt,
    };
    return [encodeEvent(events.verdictReached, verdict, 'verdict'), encodeEvent(events.receiptAppended, appended, 'verdict')];
  });
}

/** A generation's stored events, by generation. */
export function groupsOf(stored: readonly EvidenceEvent[]): ReadonlyMap<string, EvidenceEvent[]> {
  const groups = new Map<string, EvidenceEvent[]>();
  for (const event of stored) {
    const key = JSON.stringify([event.questionId, event.generation]);
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return groups;
}

/** @throws when the generation's search.started is not in the log before its end: the log has lost something. */
export function registerHashOf(group: readonly EvidenceEvent[]): string {
  const started = group.find((event) => event.type === events.searchStarted.type);
  if (!started) throw new Error(`generation ${group[0]?.generation} of ${group[0]?.questionId} ended without its search.started`);
  return (started.data as SearchStarted).registerHash;
}

const questionIdOf = (group: readonly EvidenceEvent[]): string => (group[0] as EvidenceEvent).questionId;
