/** How well a record's hints agree: a person looks at the likeliest candidate first. Nothing else comes of it. */
import type { PageRow } from './facts.js';
import type { IdentifierRule } from './register.js';

const WORTH: Readonly<Record<string, number>> = { agree: 2, near: 1 };

export const hintRank =
  (identifiers: Readonly<Record<string, IdentifierRule>>) =>
  ({ results }: Pick<PageRow, 'results'>): number =>
    Object.keys(identifiers)
      .filter((name) => identifiers[name]?.kind === 'hint' && Object.hasOwn(results, name))
      .reduce((sum, name) => sum + (WORTH[results[name] ?? ''] ?? 0), 0);
