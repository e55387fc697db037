/** The recurring check of one register version's controls: one job per version, which postpones itself. */
import type { NewJob } from '@lacuna/messaging';
import type { HashedRegister } from '@lacuna/connectors';

export const controlQueue = 'controls';

export const hasControls = (register: Pick<HashedRegister, 'controls'>): boolean => (register.controls?.records?.length ?? 0) > 0;

/** The same job again is dropped by the queue. */
export const controlJob = (tenantId: string, registerHash: string, availableAt: Date): NewJob => ({
  queue: controlQueue,
  tenantId,
  key: registerHash,
  payload: Buffer.alloc(0),
  availableAt,
});
