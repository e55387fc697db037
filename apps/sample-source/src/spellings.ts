import type { Random } from './random.js';

/**
 * The ways in which people write one identity. A canonical identity is lower-case letters and digits without separators
 * (`inv202400123`); every family writes it so that a reader would call it the same.
 */
export type SpellingFamily =
  | 'hyphens'
  | 'compact'
  | 'lower-case'
  | 'capitalised'
  | 'spaces'
  | 'slashes'
  | 'dots'
  | 'underscores'
  | 'padded'
  | 'doubled-separators'
  | 'full-width'
  | 'full-width-digits'
  | 'no-break-space'
  | 'en-dash'
  | 'soft-hyphen'
  | 'decomposed';

const NO_BREAK_SPACE = '\u00a0';
const EN_DASH = '\u2013';
const SOFT_HYPHEN = '\u00ad';
const FULL_WIDTH_OFFSET = 0xfee0;

const families: Record<SpellingFamily, (canonical: string, random: Random) => string> = {
  hyphens: (canonical) => upperGroups(canonical).join('-'),
  compact: (canonical) => canonical.toUpperCase(),
  'lower-case': (canonical) => groups(canonical).join('-'),
  capitalised: (canonical) => groups(canonical).map(capitalised).join('-'),
  spaces: (canonical) => upperGroups(canonical).join(' '),
  slashes: (canonical) => upperGroups(canonical).join('/'),
  dots: (canonical) => groups(canonical).join('.'),
  underscores: (canonical) => groups(canonical).join('_'),
  padded: (canonical, random) => `${' '.repeat(random.below(3))}${upperGroups(canonical).join('-')}${' '.repeat(1 + random.below(3))}`,
  'doubled-separators': (canonical, random) => upperGroups(canonical).join(random.pick(['--', ' - ', ' / ', '- '])),
  'full-width': (canonical) => fullWidth(upperGroups(canonical).join('-'), /[!-~]/g),
  'full-width-digits': (canonical) => fullWidth(upperGroups(canonical).join('-'), /[0-9]/g),
  'no-break-space': (canonical) => upperGroups(canonical).join(NO_BREAK_SPACE),
  'en-dash': (canonical) => upperGroups(canonical).join(EN_DASH),
  'soft-hyphen': (canonical) => upperGroups(canonical).join(SOFT_HYPHEN),
  decomposed: (canonical) => upperGroups(canonical).join('-').normalize('NFD'),
};

export const spellingFamilies = Object.keys(families) as readonly SpellingFamily[];

export function spell(canonical: string, family: SpellingFamily, random: Random): string {
  return families[family](canonical, random);
}

/** Letters, then digits in groups as people write them: `inv`, `2024`, `00123`. */
function groups(canonical: string): string[] {
  return canonical.match(/\p{L}+|\d{4}(?=\d{2})|\d+/gu) ?? [canonical];
}

function upperGroups(canonical: string): string[] {
  return groups(canonical).map((group) => group.toUpperCase());
}

function capitalised(group: string): string {
  return group.slice(0, 1).toUpperCase() + group.slice(1);
}

function fullWidth(text: string, which: RegExp): string {
  return text.replace(which, (character) => String.fromCharCode(character.charCodeAt(0) + FULL_WIDTH_OFFSET));
}
