/**
 * `toUpperCase` then `toLowerCase`, with the known exceptions put right: capital sharp s becomes `ss` as `ß` does, final sigma becomes
 * sigma. Dotless i folds to `i`: wider than Unicode's full folding, which can only show more records.
 */
export const foldCase = (value: string): string =>
  value.replaceAll('\u1E9E', 'ss').toUpperCase().toLowerCase().replaceAll('\u03C2', '\u03C3');
