/** One job per claimed slot: the send outside, which never runs in a handler. */
import type { ExceptionGranted } from '@lacuna/events';
import type { LeasedJob, NewJob } from '@lacuna/messaging';
import type { Attempt } from '../write/write-desk.js';
import { writeKeyOf } from '../write/write-key.js';

export const outsideQueue = 'outside-create';

export interface OutsideJob {
  readonly questionId: string;
  readonly generation: number;
  readonly target: string;
  readonly keyDigest: string;
  readonly authorisationId: string | null;
  readonly exception?: ExceptionGranted;
}

export const outsideJobsOf = (tenantId: string, claimed: readonly Attempt[], now: Date): NewJob[] =>
  claimed.map(({ verdict: { questionId, generation }, register, asked, authorisationId, exception }) => {
    const { target, keyDigest } = writeKeyOf(register, asked);
    const job: OutsideJob = { questionId, generation, target, keyDigest, authorisationId, ...(exception && { exception }) };
    return {
      queue: outsideQueue,
      tenantId,
      key: [questionId, generation, ...(exception ? [exception.exceptionId] : [])].join('/'),
      payload: Buffer.from(JSON.stringify(job)),
      availableAt: now,
    };
  });

export const outsideJobOf = (job: LeasedJob): OutsideJob => JSON.parse(job.payload.toString('utf8')) as OutsideJob;
