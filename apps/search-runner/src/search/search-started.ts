/** The first event of a generation: all that decides besides pages. */
import { type ControlResult, encodeEvent, events, InvalidEventError, type SearchStarted } from '@lacuna/events';
import { type Register, sourcesOf } from '@lacuna/evidence';
import type { SearchJob } from '../jobs/search-job.js';

/**
 * Without a register, or with one that no event can carry, the search names no source: it ends at once, and whatever the verdict knows of the
 * register, a search that speaks of none of its sources is a hold.
 */
export function searchStarted(
  job: SearchJob,
  register: Register | undefined,
  startedAt: string,
  controls: readonly ControlResult[] = [],
): SearchStarted {
  if (!register) return startedOf(job, { sources: [], attestations: [], controls: [] }, startedAt);
  try {
    const sources = sourcesOf(register).map((source) => source.name);
    const attestations = register.sources.flatMap((source) => (source.attestation ? [{ source: source.name, ...source.attestation }] : []));
    const started = startedOf(job, { sources, attestations, controls: [...controls] }, startedAt);
    encodeEvent(events.searchStarted, started, 'search-runner');
    return started;
  } catch (error) {
    if (error instanceof InvalidEventError || error instanceof TypeError) return searchStarted(job, undefined, startedAt);
    throw error;
  }
}

function startedOf(job: SearchJob, read: Pick<SearchStarted, 'sources' | 'attestations' | 'controls'>, startedAt: string): SearchStarted {
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
    sources: read.sources,
    exclusions: [...job.exclusions],
    knownGaps: [],
    controls: read.controls,
    attestations: read.attestations,
    startedAt,
  };
}
