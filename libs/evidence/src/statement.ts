/**
 * The statement for a person (V8): register, identifiers, `asOf`, and what was not read. What others wrote (values, record ids) is quoted
 * as a JSON string, so it cannot pass for a sentence of ours. Only a no-match says that nothing was found, and of what it says so.
 */
import { catalogue } from './catalogue.js';
import type { Decision, DecisionReason, NamedRecord } from './decision.js';
import type { StartedFacts } from './facts.js';
import { isUnknownWrite } from './own-writes.js';
import type { Register } from './register.js';

/** Lists are cut here in a statement; the decision has them in full. */
export const STATEMENT_LISTED_MAX = 20;

export interface StatementInput {
  readonly decision: Decision;
  /** Default: `exists`. */
  readonly kind?: StartedFacts['kind'];
  readonly register: Pick<Register, 'name' | 'version'> & Partial<Pick<Register, 'target'>>;
  /** As they may be shown: a caller masks personal values. */
  readonly identifiers: readonly { readonly name: string; readonly value: string }[];
  /** Whether record ids may be shown to this reader. */
  readonly reveal: boolean;
}

const listed = (items: readonly string[]): string => {
  const shown = items.slice(0, STATEMENT_LISTED_MAX).join(', ');
  return items.length > STATEMENT_LISTED_MAX ? `${shown}, and ${items.length - STATEMENT_LISTED_MAX} more` : shown;
};

const askedFor = ({ register, identifiers }: StatementInput): string => {
  const named = identifiers.map(({ name, value }) => `${name} = ${JSON.stringify(value)}`);
  return `Register ${register.name}, version ${JSON.stringify(register.version)}; asked for ${named.length > 0 ? listed(named) : 'nothing'}.`;
};

const seenUntil = ({ asOf }: Decision): string =>
  asOf === null ? 'There is no moment up to which all deciding sources were seen.' : `All deciding sources were seen up to ${asOf}.`;

const sentences = (reasons: readonly DecisionReason[]): readonly string[] =>
  reasons.map(({ code, source }) => `${source === null ? 'The search' : source}: ${catalogue[code].statement} (${code})`);

const records = (label: string, found: readonly NamedRecord[], reveal: boolean): readonly string[] => {
  if (found.length === 0) return [];
  const ids = reveal ? `: ${listed(found.map(({ source, recordId }) => `${JSON.stringify(recordId)} in ${source}`))}` : '';
  return [`${label}: ${found.length}${ids}.`];
};

type Kind = StartedFacts['kind'];

const NO_MATCH: Readonly<Record<Kind, string>> = {
  exists: 'No match in this register, for these identifiers, up to that moment.',
  gone: 'No match is left in this register, for these identifiers, up to that moment, in whatever status.',
  enumerate: 'No match in this register, for these identifiers, up to that moment, in whatever status: 0 in all.',
};

const HOLD: Readonly<Record<Kind, string>> = {
  exists: 'This search cannot say whether there is such a record: it is on hold.',
  gone: 'This search cannot say whether the record is gone, and supports neither closing nor deleting: it is on hold.',
  enumerate: 'This search cannot say which records there are, nor how many: it is on hold.',
};

const MATCH: Readonly<Record<Kind, string>> = {
  exists: 'A matching record was seen and has to be reviewed',
  gone: 'A matching record was seen, so it is not gone; it has to be reviewed',
  enumerate: 'Matching records were seen and have to be reviewed',
};

/** Another record of the same source: a copy of a record is no second one. */
const areSeveral = (matches: readonly NamedRecord[]): boolean => {
  const oneOf = new Map(matches.map(({ source, recordId }) => [source, recordId]));
  return matches.some(({ source, recordId }) => oneOf.get(source) !== recordId);
};

const outcome = ({ verdict, count, matches }: Decision, kind: Kind): string => {
  if (verdict === 'scoped-no-match') return kind === 'enumerate' && count === null ? NO_MATCH.exists : NO_MATCH[kind];
  if (verdict === 'evidence-hold') return HOLD[kind];
  const which = kind === 'exists' && areSeveral(matches) ? ' More than one record matches: a person has to say which is meant.' : '';
  return `${MATCH[kind]}${count === null ? '; no number of matches is claimed' : ` (${count} in all)`}.${which}`;
};

/** What was not read, or not proven; of a complete read, that nothing was left out. */
const leftOpen = ({ verdict, reasons, accepted }: Decision): readonly string[] => {
  const open = verdict === 'scoped-no-match' ? [] : reasons.filter(({ code }) => code !== 'match-found');
  const unread = open.length > 0 ? ['Not read or not proven:', ...sentences(open)] : [];
  const stands = accepted.length > 0 ? ['Accepted by the register by name:', ...sentences(accepted)] : [];
  return unread.length + stands.length > 0 ? [...unread, ...stands] : ['Nothing was left unread.'];
};

const PROTECTION = 'Nothing in the target system keeps two records of one key apart: only writes through Lacuna are (own-writes-only).';

export const statementOf = (input: StatementInput): string => {
  const { decision, reveal, kind = 'exists' } = input;
  return [
    askedFor(input),
    outcome(decision, kind),
    seenUntil(decision),
    ...leftOpen(decision),
    ...records('Matching records', decision.matches, reveal),
    ...records('Records for a person to compare', decision.candidates, reveal),
    ...records(
      'Matching records in a reusable status',
      decision.reusable.filter((record) => !isUnknownWrite(record)),
      reveal,
    ),
    ...records(
      'Writes of ours that were sent, whose outcome is unknown, and that left no record',
      decision.reusable.filter(isUnknownWrite),
      reveal,
    ),
    ...(input.register.target?.kind === 'outside' ? [PROTECTION] : []),
    ...records('Records that a reviewer found to be different', decision.excluded, reveal),
    ...(decision.rowsWithoutKey > 0 ? [`Rows without any key, which decide nothing: ${decision.rowsWithoutKey}.`] : []),
  ].join(' ');
};
