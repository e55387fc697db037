/** From one generation's events to its verdict and receipt. Pure: the same input gives the same bytes (V4). */
import type { PageRead, SearchEnded, SearchStarted, VerdictReached } from '@lacuna/events';
import { events } from '@lacuna/events';
import { decide, foldGeneration, type Register, type SearchEvent, statementOf } from '@lacuna/evidence';
import { buildReceipt, canonicalJson, InputRefusedError, type ReceiptInput, type ReceiptPayload, sha256Hex } from '@lacuna/receipts';
import type { EvidenceEvent } from './evidence-store.js';
import { receiptInput, shownValue } from './receipt-input.js';

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
/** Rows listed on a receipt when all of them would make it too large. */
const LISTED_MAX = 50;

const types = new Map<string, SearchEvent['type']>([
  [events.searchStarted.type, 'search.started'],
  [events.pageRead.type, 'page.read'],
  [events.searchEnded.type, 'search.ended'],
]);

export function reachVerdict(input: ReachInput): Reached {
  const { register, decidedAt, salt } = input;
  const started = dataOf<SearchStarted>(input, events.searchStarted.type);
  const ended = dataOf<SearchEnded>(input, events.searchEnded.type);
  const folded = foldGeneration(searchEvents(input.events), hashOf);
  const conflicting = input.events.some((event) => event.conflicting);
  const evidence = { ...folded, chainIntact: folded.chainIntact && !conflicting };
  const decision = decide(evidence, register, decidedAt);
  const identifiers = started.identifiers.map(({ name, value }) => ({ name, value: masked(register, name, value, salt) }));
  const statement = cut(statementOf({ decision, register, identifiers, reveal: true }), STATEMENT_UNITS_MAX);
  const receipt = built(receiptInput({ started, ended, pages: evidence.pages, register, decision, statement, salt }));
  const { tenantId, questionId, generation, registerHash, needsAsOf } = started;
  return {
    receipt: receipt.payload,
    verdict: {
      tenantId,
      questionId,
      generation,
      registerName: register.name,
      registerHash,
      verdict: decision.verdict,
      reasons: decision.reasons.map(({ code, source }) => ({ code, source })),
      matches: [...decision.matches],
      candidates: [...decision.candidates],
      reusable: [...decision.reusable],
      boundaries: decision.boundaries.map((boundary) => ({ ...boundary })),
      asOf: decision.asOf,
      needsAsOf,
      decidedAt,
      partial: decision.partial,
      coverage: decision.coverage,
      fromClamped: decision.fromClamped,
      healsByWaiting: decision.healsByWaiting,
      count: decision.count,
      owner: decision.owner.name,
      statement,
      receiptId: receipt.payload.receiptId,
      receiptHash: receipt.receiptHash,
    },
  };
}

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

/** A receipt that is too large lists fewer rows and says how many it left out. */
function built(input: ReceiptInput): ReturnType<typeof buildReceipt> {
  try {
    return buildReceipt(input);
  } catch (error) {
    if (!(error instanceof InputRefusedError) || error.code !== 'receipt-too-large') throw error;
    return buildReceipt(shortened(input));
  }
}

function shortened(input: ReceiptInput): ReceiptInput {
  const { verdict, traversal } = input;
  const left = (count: number) => Math.max(0, count - LISTED_MAX);
  return {
    ...input,
    traversal: { ...traversal, reusable: traversal.reusable.slice(0, LISTED_MAX) },
    verdict: {
      ...verdict,
      matches: verdict.matches.slice(0, LISTED_MAX),
      candidates: verdict.candidates.slice(0, LISTED_MAX),
      unlisted: {
        matches: left(verdict.matches.length),
        candidates: left(verdict.candidates.length),
        reusable: left(traversal.reusable.length),
      },
    },
  };
}
