import type { Principal } from './api-keys.js';

/** What the reveal rule looks at; registers have no rule of their own yet. */
interface RevealingRegister {
  readonly name: string;
}

/**
 * Whether a principal sees the ids of records. The one place that decides it: whoever may ask or review in a tenant sees that tenant's
 * record ids; an approver decides on a hash and needs none.
 */
export function revealTo({ roles }: Pick<Principal, 'roles'>, _register: RevealingRegister): boolean {
  return roles.some((role) => role === 'asker' || role === 'reviewer' || role === 'admin');
}
