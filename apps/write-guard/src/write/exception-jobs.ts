/** An exception may come before its verdict: it waits as a job, at the longest until it expires. */
import type { ExceptionGranted } from '@lacuna/events';
import type { LeasedJob, NewJob } from '@lacuna/messaging';

export const exceptionQueue = 'exception';

export const exceptionJobsOf = (tenantId: string, granted: readonly ExceptionGranted[], now: Date): NewJob[] =>
  granted.map((exception) => ({
    queue: exceptionQueue,
    tenantId,
    key: exception.exceptionId,
    payload: Buffer.from(JSON.stringify(exception)),
    availableAt: now,
  }));

export const exceptionOf = (job: LeasedJob): ExceptionGranted => JSON.parse(job.payload.toString('utf8')) as ExceptionGranted;
