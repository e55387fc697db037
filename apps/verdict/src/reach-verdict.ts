/** From one generation's events to its verdict and receipt. Pure: the same input gives the same bytes (V4). */
import { events, type PageRead, type SearchEnded, type SearchStarted, type VerdictReached } from '@lacuna/events';
import { decide, type Decision, foldGeneration, type Register, type SearchEvent, statementOf } from '@lacuna/evidence';
import { buildReceipt, type BuiltReceipt, canonicalJson, InputRefusedError, type ReceiptPayload, sha256Hex } from '@lacuna/receipts';
import type { EvidenceEvent } from './evidence-store.js';
import { type ReceiptFacts, receiptInput, shownValue } from './receipt-input.js';

export interface ReachInput {
  /** In log order, at least `search.started` and `search.ended`. */
  readonly events: readonly EvidenceEvent[];
  readonly register: Register;
  readonly salt: Buffer;
  readonly decidedAt: string;
}

export interface Reached {
  readonly verdict: VerdictReached;
  readonly receipt: ReceiptPayload;
}

/** As verdict.reached allows. */
const STATEMENT_UNITS_MAX = 16_384;
/** Rows listed at most: the first of these with which receipt and event are small enough. */
const LISTED_MAX = [1_000, 200, 50, 10] as const;
/** Its envelope is base64, and base64 again in `receipt.appended`, which takes 900,000 characters. */
const RECEIPT_BYTES_MAX = 500_000;
/** One message of a log: below the 1 MiB that a Kafka broker takes by default. A larger one would stop its partition for ever. */
const VERDICT_BYTES_MAX = 900_000;

const types = new Map<string, SearchEvent['type']>([
  [events.searchStarted.type, 'search.started'],
  [events.pageRead.type, 'page.read'],
  [events.searchEnded.type, 'search.ended'],
]);

export function reachVerdict(input: ReachInput): Reached {
  const facts = factsOf(input);
  for (const listedMax of LISTED_MAX) {
    const receipt = receiptOf(facts, listedMax);
    if (receipt === null) continue;
    const verdict = verdictOf(facts, receipt, listedMax);
    if (Buffer.byteLength(JSON.stringify(verdict)) <= VERDICT_BYTES_MAX) return { verdict, receipt: receipt.payload };
  }
  throw new Error(`generation ${facts.started.generation} of ${facts.started.questionId} has no receipt that is small enough`);
}

function factsOf(input: ReachInput): ReceiptFacts {
  const { register, decidedAt, salt } = input;
  const started = dataOf<SearchStarted>(input, events.searchStarted.type);
  const ended = dataOf<SearchEnded>(input, events.searchEnded.type);
  const folded = foldGeneration(searchEvents(input.events), hashOf);
  const conflicting = input.events.some((event) => event.conflicting);
  const evidence = { ...folded, chainIntact: folded.chainIntact && !conflicting };
  const decision = decide(evidence, register, decidedAt);
  const identifiers = started.identifiers.map(({ name, value }) => ({ name, value: masked(register, name, value, salt) }));
  const statement = cut(statementOf({ decision, kind: started.kind, register, identifiers, reveal: true }), STATEMENT_UNITS_MAX);
  return { started, ended, pages: evidence.pages, register, decision, statement, salt };
}

/** Null: too large. */
function receiptOf(facts: ReceiptFacts, listedMax: number): BuiltReceipt | null {
  try {
    const receipt = buildReceipt(receiptInput(facts, listedMax));
    return receipt.payloadBytes.byteLength <= RECEIPT_BYTES_MAX ? receipt : null;
  } catch (error) {
    if (error instanceof InputRefusedError && error.code === 'receipt-too-large') return null;
    throw error;
  }
}

function verdictOf({ started, register, decision, statement }: ReceiptFacts, receipt: BuiltReceipt, listedMax: number): VerdictReached {
  const { tenantId, questionId, generation, registerHash, needsAsOf } = started;
  const { verdict, reasons, boundaries, asOf, decidedAt, partial, coverage, fromClamped, healsByWaiting, count, owner } = decision;
  return {
    tenantId,
    questionId,
    generation,
    registerName: register.name,
    registerHash,
    verdict,
    reasons: reasons.map(({ code, source }) => ({ code, source })),
    ...recordsOf(decision, listedMax),
    boundaries: boundaries.map((boundary) => ({ ...boundary })),
    asOf,
    needsAsOf,
    decidedAt,
    partial,
    coverage,
    fromClamped,
    healsByWaiting,
    count,
    owner: owner.name,
    statement,
    receiptId: receipt.payload.receiptId,
    receiptHash: receipt.receiptHash,
  };
}

const recordsOf = ({ matches, candidates, reusable }: Decision, listedMax: number) => ({
  matches: matches.slice(0, listedMax),
  candidates: candidates.slice(0, listedMax),
  reusable: reusable.slice(0, listedMax),
});

/** SHA-256 of the page read's canonical JSON without its `hash`: the link of the attempt's chain. */
const hashOf = (page: PageRead): string => {
  const { hash: _hash, ...unhashed } = page;
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify(unhashed))));
};

const searchEvents = (stored: readonly EvidenceEvent[]): SearchEvent<PageRead & SearchEvent['data']>[] =>
  stored.flatMap((event) => {
    const type = types.get(event.type);
    return type ? [{ type, data: event.data } as unknown as SearchEvent<PageRead & SearchEvent['data']>] : [];
  });

function dataOf<T>(input: ReachInput, type: string): T {
  const found = input.events.find((event) => event.type === type);
  if (!found) throw new Error(`a generation without ${type} cannot be decided`);
  return found.data as T;
}

/** Never leaves half a surrogate pair, which no canonical JSON can hold. */
const cut = (text: string, unitsMax: number): string => text.slice(0, unitsMax).replace(/[\uD800-\uDBFF]$/, '');

const masked = (register: Register, name: string, value: string, salt: Buffer): string => {
  const shown = shownValue(register, name, value, salt);
  return shown.valueHash === undefined ? value : `hash ${shown.valueHash.slice(0, 16)}`;
};
