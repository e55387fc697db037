/** The receipt of a decision: what goes into its five field groups. Pure. */
import type { SearchEnded, SearchStarted } from '@lacuna/events';
import { type Decision, isUnknownWrite, keyParts, type NamedRecord, type PageFacts, type Register, sourcesOf } from '@lacuna/evidence';
import { type JsonObject, keyDigest, type OpenOrHashed, type ReceiptInput, saltedHash, type SourceTraversal } from '@lacuna/receipts';

export interface ReceiptFacts {
  readonly started: SearchStarted;
  readonly pages: readonly PageFacts[];
  readonly ended: SearchEnded;
  readonly register: Register;
  readonly decision: Decision;
  readonly statement: string;
  readonly salt: Buffer;
}

/** `listedMax`: rows and exclusions that are listed at most; how many are left out stands beside them. */
export function receiptInput(facts: ReceiptFacts, listedMax: number): ReceiptInput {
  const { decision, started } = facts;
  const { found } = decision;
  const left = (count: number) => Math.max(0, count - listedMax);
  return {
    question: questionOf(facts),
    method: methodOf(facts, listedMax),
    boundary: {
      asOf: decision.asOf,
      needsAsOf: started.needsAsOf,
      decidedAt: decision.decidedAt,
      perSource: decision.boundaries,
    },
    traversal: traversalOf(facts, listedMax),
    verdict: {
      verdict: decision.verdict,
      partial: decision.partial,
      coverage: decision.coverage,
      fromClamped: decision.fromClamped,
      reasons: decision.reasons,
      matches: decision.matches.slice(0, listedMax).map(recordOf),
      candidates: decision.candidates.slice(0, listedMax).map(recordOf),
      unlisted: {
        matches: left(found.matches),
        candidates: left(found.candidates),
        reusable: left(found.reusable),
        exclusions: left(started.exclusions.length),
      },
      ...(decision.count === null ? {} : { count: decision.count }),
      owner: decision.owner.name,
      statement: facts.statement,
    },
  };
}

/** A bare digest of few fields can be found by trying: with a personal field among them it is salted like the value. */
const hasPersonalKey = (register: Register): boolean => Object.values(register.identifiers).some((rule) => rule.personal === true);

/** How an identifier's value may stand on a receipt or in its statement. Of one that the register does not list nobody knows: hashed. */
export function shownValue(register: Register, name: string, value: string, salt: Buffer): OpenOrHashed {
  const rule = ruleOf(register, name);
  return rule !== undefined && rule.personal !== true ? { value } : { valueHash: saltedHash(salt, value) };
}

const ruleOf = ({ identifiers }: Register, name: string) => (Object.hasOwn(identifiers, name) ? identifiers[name] : undefined);

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
      kind: ruleOf(register, name)?.kind ?? 'hint',
      provenance,
      ...shownValue(register, name, value, salt),
    })),
    principal: { valueHash: saltedHash(salt, started.principal) },
    intent: { action: started.intent, payloadHash: started.payloadHash },
  };
}

function methodOf({ started, register, salt }: ReceiptFacts, listedMax: number): ReceiptInput['method'] {
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
    protection: register.target?.kind === 'outside' ? register.target.protection : null,
    exclusions: started.exclusions.slice(0, listedMax).map(({ source, recordId, version, digest }) => ({
      source,
      recordId,
      version: version ?? null,
      fieldsDigest: hasPersonalKey(register) ? saltedHash(salt, digest) : digest,
    })),
  };
}

function traversalOf({ started, pages, ended, register, decision }: ReceiptFacts, listedMax: number): ReceiptInput['traversal'] {
  return {
    sources: ended.sources.map((source) => traversed(source, pages, decision)),
    rowsWithoutKey: decision.rowsWithoutKey,
    reusable: decision.reusable
      .filter((record) => !isUnknownWrite(record))
      .slice(0, listedMax)
      .map((record) => ({ ...recordOf(record), status: record.status ?? '' })),
    unknownSlots: decision.reusable.some(isUnknownWrite) ? slotOf(register, started) : [],
    controls: started.controls.map(({ source, result, checkedAt }, index) => ({
      source,
      controlId: `${source}.${index + 1}`,
      result: result === 'found' ? result : (`control-${result}` as const),
      checkedAt,
    })),
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

/** The slot that write-guard may free with this receipt: there is one per key. */
const slotOf = (register: Register, { identifiers }: SearchStarted): ReceiptInput['traversal']['unknownSlots'] =>
  register.target
    ? [{ writeTarget: register.target.name, keyDigest: keyDigest(register.target.policyId, [...keyParts(register, identifiers)]) }]
    : [];

/**
 * Sums over the pages of the attempt that counts. A repetition that was read for a second pass counts as read. Doubts are those that were
 * logged and those that were found when deciding.
 */
function traversed(source: SearchEnded['sources'][number], pages: readonly PageFacts[], { findings }: Decision): SourceTraversal {
  const read = pages.filter((page) => page.source === source.source && page.attemptId === source.attemptId);
  const found = findings.find((finding) => finding.source === source.source);
  const logged = [...source.doubts, ...read.flatMap((page) => page.doubts)];
  return {
    source: source.source,
    attemptId: source.attemptId ?? null,
    pages: read.length,
    records: read.reduce((sum, page) => sum + page.records, 0),
    bytes: read.reduce((sum, page) => sum + page.bytes, 0),
    stopReason: source.stopReason,
    doubts: [...new Set([...logged, ...(found?.doubts ?? []), ...(found?.accepted ?? [])])],
    lastPageHash: source.lastHash ?? null,
  };
}

const recordOf = ({ source, recordId, version }: NamedRecord) => ({ source, recordId, version });
