/** Named moments at which a test ends the process (kill -9) or abandons a loop, to show that a successor repairs what is left. */
export type CrashPoint = 'before-commit' | 'after-commit' | 'before-publish' | 'after-publish' | 'before-offset-commit' | 'job-leased';

/** Nothing in production. Services name points of their own besides. `context` says where: a topic and partition, a publisher's source, a queue and key. */
export type CrashHook = (point: CrashPoint | (string & {}), context: string) => void | Promise<void>;

export const noCrash: CrashHook = () => undefined;
