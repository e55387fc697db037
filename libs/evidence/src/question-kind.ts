/**
 * What the kind of a question changes. `exists` and `gone` read the same evidence; they differ in what a match is: a cancelled record does
 * not stand against a creation, but it is not gone, and it belongs to a list of all.
 */
import type { StartedFacts } from './facts.js';
import type { StatusRules } from './register.js';

/** Reusable statuses are about a creation, so they count for `exists` alone; any other kind, also an unknown one, sees every record. */
export const statusRulesFor = (kind: StartedFacts['kind'], { reusable, follow }: StatusRules): StatusRules => ({
  reusable: kind === 'exists' ? reusable : [],
  follow,
});
