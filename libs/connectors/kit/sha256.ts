import { hash } from 'node:crypto';

/** Lower-case hex. */
export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');
