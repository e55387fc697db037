/** A hold that heals by waiting: its reruns are jobs that become due, so that a restart forgets none. */
import type { VerdictReached } from '@lacuna/events';

export const holdQueue = 'hold';

export const holdKey = (verdict: VerdictReached): string => `${verdict.questionId}:${verdict.generation}`;

export const encodeHold = (verdict: VerdictReached): Buffer => Buffer.from(JSON.stringify(verdict));

export const decodeHold = (payload: Buffer): VerdictReached => JSON.parse(payload.toString('utf8')) as VerdictReached;
