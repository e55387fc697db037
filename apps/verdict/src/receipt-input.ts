/** The receipt of a decision: what goes into its five field groups. Pure. */
import type { SearchEnded, SearchStarted } from '@lacuna/events';
import { type Decision, type NamedRecord, type PageFacts, type Register, sourcesOf } from '@lacuna/evidence';
import { type JsonObject, type OpenOrHashed, type ReceiptInput, saltedHash, type SourceTraversal } from '@lacuna/receipts';

export interface ReceiptFacts {
  readonly started: SearchStarted;
  readonly pages: readonly PageFacts[];
  readonly ended: SearchEnded;
  readonly register: Register;
  readonly decision: Decision;
  readonly statement: string;
  readonly salt: Buffer;
}

export function receiptInput(facts: ReceiptFacts): ReceiptInput {
  const { decision } = facts;
  return {
    question: questionOf(facts),
    method: methodOf(facts),
    boundary: {
      asOf: decision.asOf,
      needsAsOf: facts.started.needsAsOf,
      decidedAt: decision.decidedAt,
      perSource: decision.boundaries,
    },
    traversal: traversalOf(facts),
    verdict: {
      verdict: decision.verdict,
      partial: decision.partial,
      coverage: decision.coverage,
      fromClamped: decision.fromClamped,
      reasons: decision.reasons,
      matches: decision.matches.map(recordOf),
      candidates: decision.candidates.map(recordOf),
      unlisted: { matches: 0, candidates: 0, reusable: 0 },
      ...(decision.count === null ? {} : { count: decision.count }),
      owner: decision.owner.name,
      statement: facts.statement,
    },
  };
}

/** How an identifier's value may stand on a receipt or in its statement. */
export function shownValue(register: Register, name: string, value: string, salt: Buffer): OpenOrHashed {
  return register.identifiers[name]?.personal ? { valueHash: saltedHash(salt, value) } : { value };
}

function questionOf({ started, register, salt }: ReceiptFacts): ReceiptInput['question'] {
  return {
    tenantId: started.tenantId,
    questionId: started.questionId,
    generation: started.generation,
    kind: started.kind,
    registerId: register.name,
    registerHash: started.registerHash,
    identifiers: started.identifiers.map(({ name, value, provenance }) => ({
      name,
      kind: register.identifiers[name]?.kind ?? 'hint',
      provenance,
      ...shownValue(register, name, value, salt),
    })),
    principal: { valueHash: saltedHash(salt, started.principal) },
    intent: { action: started.intent, payloadHash: started.payloadHash },
  };
}

function methodOf({ started, register }: ReceiptFacts): ReceiptInput['method'] {
  const { identifiers, status, moves } = register;
  return {
    sources: sourcesOf(register).map(({ name, role, authority, method, predicate, drift }) => ({
      source: name,
      role,
      authority,
      method,
      filters: { predicate, drift },
    })),
    policy: JSON.parse(JSON.stringify({ identifiers, status, moves })) as JsonObject,
    protection: null,
    exclusions: started.exclusions.map(({ source, recordId, version, digest }) => ({
      source,
      recordId,
      version: version ?? null,
      fieldsDigest: digest,
    })),
  };
}

function traversalOf({ started, pages, ended, register, decision }: ReceiptFacts): ReceiptInput['traversal'] {
  return {
    sources: ended.sources.map((source) => traversed(source, pages)),
    rowsWithoutKey: decision.rowsWithoutKey,
    reusable: decision.reusable.map((record) => ({ ...recordOf(record), status: record.status ?? '' })),
    unknownSlots: [],
    controls: [],
    attestations: started.attestations.map(({ source, by, until }) => ({
      source,
      claim: 'full sight of the credential',
      owner: by,
      expiresAt: until,
    })),
    acceptedDoubts: register.acceptedDoubts
      .filter((doubt) => decision.accepted.some(({ code, source }) => code === doubt.doubt && source === doubt.source))
      .map(({ source, doubt, owner, reason, until }) => ({ code: doubt, source, owner, reason, expiresAt: until })),
  };
}

/** Sums over the pages of the attempt that counts. A repetition that was read for a second pass counts as read. */
function traversed(source: SearchEnded['sources'][number], pages: readonly PageFacts[]): SourceTraversal {
  const read = pages.filter((page) => page.attemptId === source.attemptId);
  return {
    source: source.source,
    attemptId: source.attemptId ?? null,
    pages: read.length,
    records: read.reduce((sum, page) => sum + page.records, 0),
    bytes: read.reduce((sum, page) => sum + page.bytes, 0),
    stopReason: source.stopReason,
    doubts: [...new Set([...source.doubts, ...read.flatMap((page) => page.doubts)])],
    lastPageHash: source.lastHash ?? null,
  };
}

const recordOf = ({ source, recordId, version }: NamedRecord) => ({ source, recordId, version });
