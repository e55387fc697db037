/** The end of an authorisation's time is a job that becomes due, so that a restart forgets none. */
import type { LeasedJob, NewJob } from '@lacuna/messaging';
import type { WriteDesk } from './write-desk.js';

export const expiryQueue = 'authorisation-expiry';

export interface Expiry {
  readonly questionId: string;
  readonly authorisationId: string;
  readonly expiresAtMs: number;
}

export const expiryJobsOf = (tenantId: string, requested: WriteDesk['requested']): NewJob[] =>
  requested.map(({ authorisation: { questionId, authorisationId, expiresAtMs } }) => ({
    queue: expiryQueue,
    tenantId,
    key: authorisationId,
    payload: Buffer.from(JSON.stringify({ questionId, authorisationId, expiresAtMs } satisfies Expiry)),
    availableAt: new Date(expiresAtMs),
  }));

export const expiryOf = (job: LeasedJob): Expiry => JSON.parse(job.payload.toString('utf8')) as Expiry;
