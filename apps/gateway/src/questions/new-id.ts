/** Injection token of what makes ids: randomness is an input. */
export const NEW_ID = Symbol('NEW_ID');
export type NewId = () => string;
