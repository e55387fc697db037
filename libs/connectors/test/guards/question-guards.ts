/** What the question adds: its kind, the identifiers it names, controls, and what a source leaves out. Each rule switched off by itself. */
import type { Guard } from './guards.js';

const CORE = 'evidence/src';

const guard = (file: string, name: string, against: string, from: string, to: string): Guard => ({ name, against, file, from, to });

export const questionGuards: readonly Guard[] = [
  guard(
    `${CORE}/source-finding.ts`,
    'recent-unavailable',
    'taking a part that is left out on purpose for a slow index',
    "if (read.rule.recentExcludedMs > 0) doubts.push('recent-unavailable');",
    '',
  ),
  guard(
    `${CORE}/question-kind.ts`,
    'gone-in-any-status',
    'calling a cancelled record gone',
    "kind === 'exists' ? reusable : []",
    'reusable',
  ),
  guard(
    `${CORE}/count-matches.ts`,
    'count-complete',
    'counting a part as the whole',
    "if (kind !== 'enumerate' || partial || candidates > 0) return null;",
    "if (kind !== 'enumerate') return null;",
  ),
  guard(
    `${CORE}/controls.ts`,
    'control-missed',
    'believing a search that misses what is there',
    "if (results.some(({ result }) => result === 'missed')) doubts.push('control-missed');",
    '',
  ),
  guard(
    `${CORE}/controls.ts`,
    'control-stale',
    'believing a control of long ago, or none',
    "if (unknown || stale) doubts.push('control-stale');",
    '',
  ),
  guard(
    `${CORE}/lookup.ts`,
    'lookup-confirms',
    'asking for what belongs to nobody',
    "return pages.some((page) => page.source === source && page.rows.some((row) => outcomeOf(row.results, rules) === 'match'));",
    'return rules !== undefined || pages.length > 0;',
  ),
];
