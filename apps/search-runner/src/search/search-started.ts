/** The first event of a generation: all that decides besides pages. */
import type { SearchStarted } from '@lacuna/events';
import { type Register, sourcesOf } from '@lacuna/evidence';
import type { SearchJob } from '../jobs/search-job.js';

export function searchStarted(job: SearchJob, register: Register, startedAt: string): SearchStarted {
  const { question } = job;
  return {
    tenantId: question.tenantId,
    questionId: question.questionId,
    generation: job.generation,
    registerName: question.registerName,
    registerHash: question.registerHash,
    kind: question.kind,
    identifiers: question.identifiers.map((identifier) => ({ ...identifier, lookup: null })),
    principal: question.principal,
    intent: question.intent.kind,
    payloadHash: question.intent.payloadHash,
    askedAt: question.askedAt,
    needsAsOf: job.needsAsOf,
    budget: question.budget,
    sources: sourcesOf(register).map((source) => source.name),
    exclusions: [...job.exclusions],
    knownGaps: [],
    controls: [],
    attestations: register.sources.flatMap((source) => (source.attestation ? [{ source: source.name, ...source.attestation }] : [])),
    startedAt,
  };
}
