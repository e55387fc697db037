import { InputRefusedError, RefusalCode } from '../src/index.js';

/** The code with which the action was refused; null when it was not, and any other error is passed on. */
export function refusalOf(action: () => unknown): RefusalCode | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof InputRefusedError) return error.code;
    throw error;
  }
}
