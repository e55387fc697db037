/** How records are compared with what was asked (docs/reference/matching.md), each rule switched off by itself. */
import type { Guard } from './guards.js';

const CORE = 'evidence/src';
const FORMS = `${CORE}/normal-form`;

const guard = (file: string, name: string, against: string, from: string, to: string): Guard => ({ name, against, file, from, to });

export const matchingGuards: readonly Guard[] = [
  guard(
    `${CORE}/compare-row.ts`,
    'unread-value',
    'taking a value that cannot be read for another one',
    "if (isReadable) return 'differ';",
    "if (isReadable || true) return 'differ';",
  ),
  guard(
    `${CORE}/compare-row.ts`,
    'unread-remark',
    'holding for every remark in the place of a value',
    'return mayBeEqual(rule.normalise, asked, found) ?',
    'return mayBeEqual(rule.normalise, asked, found) || true ?',
  ),
  guard(
    `${CORE}/compare-row.ts`,
    'near-form',
    'calling another one what only might be the same',
    'return near.length > 0 && wanted.lossy',
    'return false && wanted.lossy',
  ),
  guard(
    `${CORE}/compare-row.ts`,
    'invisible-in-record',
    'telling records apart by what cannot be seen',
    'if (withoutInvisible(form) === wanted.visible) return true;',
    '',
  ),
  guard(
    `${CORE}/check-identifiers.ts`,
    'invisible-in-question',
    'asking for what cannot be seen',
    'if (withoutInvisible(form) !== form)',
    'if (false)',
  ),
  guard(
    `${CORE}/check-identifiers.ts`,
    'unread-question',
    'asking for what cannot be compared',
    'if (!isReadable(rule.normalise, value))',
    'if (false)',
  ),
  guard(
    `${CORE}/check-identifiers.ts`,
    'format-of-question',
    'asking for a key that was changed on its way',
    '!fits(rule.format, value)',
    'false',
  ),
  guard(`${FORMS}/email.ts`, 'domain-unsure', 'guessing which domain is meant', "UNCERTAIN.test(seen.normalize('NFD'))", 'false'),
  guard(`${FORMS}/date.ts`, 'date-calendar', 'guessing the calendar of an old date', 'year < FIRST_YEAR', 'false'),
  guard(
    `${FORMS}/date.ts`,
    'date-zone',
    'cutting a moment to the date of another zone',
    'dateIn(epochMs - behindMs, zone)',
    "dateIn(epochMs - behindMs, 'UTC')",
  ),
  guard(
    `${FORMS}/phone.ts`,
    'phone-ambiguous',
    'guessing what a number without its plus is',
    'if (nationalDigits === undefined && !prefixes.some((each) => digits.startsWith(each))) return null;',
    '',
  ),
  guard(
    `${CORE}/status.ts`,
    'status-unlisted',
    'letting a status pass that nobody thought of',
    "rules.reusable.includes(status) ? 'reusable' : 'blocks'",
    "!rules.follow.includes(status) ? 'reusable' : 'blocks'",
  ),
  guard(
    `${CORE}/status.ts`,
    'status-follow',
    'deciding on a record that was merged into another',
    "if (status !== null && rules.follow.includes(status)) return 'follow';",
    '',
  ),
];
