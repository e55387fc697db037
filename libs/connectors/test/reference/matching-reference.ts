/** docs/reference/matching.md, from examples that a test runs. */
import { COMPARISONS, NORMALISERS, REGISTER_EXAMPLE, STATUSES, STATUS_RULES, type ComparisonText } from './matching-examples.js';

/** What cannot be seen is written as its escape. */
const shown = (value: string): string => {
  const text = JSON.stringify(value).replace(/[\p{Default_Ignorable_Code_Point}\p{Mark}\u00a0]/gu, (hidden) => {
    return `\\u${(hidden.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
  return `\`${text.replaceAll('|', '\\|')}\``;
};

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const normaliserRow = ({ written, does, forms }: (typeof NORMALISERS)[number]): string =>
  row(`\`${written}\``, does, forms.map(([value, form]) => `${shown(value)} → ${form === null ? 'not read' : shown(form)}`).join('<br>'));

const ruleText = ({ rule: { normalise, near = [] } }: ComparisonText): string =>
  `\`normalise: [${normalise.join(', ')}]\`${near.length === 0 ? '' : `<br>\`near: [${near.join(', ')}]\``}`;

const foundText = ({ found }: ComparisonText): string => (found === undefined ? 'absent' : found === null ? '`null`' : shown(found));

const comparisonRow = (each: ComparisonText): string =>
  row(`\`${each.result}\``, each.means, ruleText(each), shown(each.asked), foundText(each));

export const matchingReference = (): string => `# How records are compared

A [register](../how-to/write-a-register.md) says of each identifier what it is for, and how its values are compared. The record's value and the
question's go through the same list, in its order; what comes out is compared by characters.

\`\`\`yaml
${REGISTER_EXAMPLE}\`\`\`

## Normalisers

\`normalise\` and \`near\` are lists of these. Each gives the same form again for its own form. A form that two values share makes them one for the
register, so choose what the business calls the same, and put into \`near\` what only might be.

| normaliser | what it does | examples |
| --- | --- | --- |
${NORMALISERS.map(normaliserRow).join('\n')}

\`number\`, \`email\`, \`phone\` and \`date\` read a value. A question whose own value they cannot read is refused (\`identity-unvalidated\` where it
was let through), as is one that is empty in normal form, does not fit the identifier's \`format\`, or holds what cannot be seen and nothing takes
out: such a value is found nowhere, and nothing follows from that. A record's value that they cannot read is never taken for another one, see
\`near\` below.

A table that is read by exact lookup is searched in these forms by the database itself, for all but \`number\`, \`phone\`, \`date\` and
\`email-base\`: where every key has one of those, the table is read whole.

## Comparing one identifier

| result | meaning | rule | asked | the record's value |
| --- | --- | --- | --- | --- |
${COMPARISONS.map(comparisonRow).join('\n')}

\`near\` is applied to the normal form. A key that says \`whenMissing: { result: differs, owner, reason }\` takes \`missing\` for a difference; that
stands on every receipt.

## Comparing a record

- \`kind: key\`: every key agrees: the record **matches**. No key differs, at least one agrees or is near, and not all agree: it is **ambiguous**,
  and the search holds (\`identity-ambiguous\`) with the record named for a person. Any key differs, or the record has no key at all: it is neither
  a match nor a doubt.
- \`kind: scope\` narrows what is read; its agreement alone says nothing, and its difference does not take a match away.
- \`kind: hint\` puts the candidates in which more of them agree first, and decides nothing.

Several records that match are all named; which of them is meant, a person has to say. Their number is claimed only for the kind \`enumerate\`
after a complete read.

A reviewer who finds that a record is a different one excludes it at the version that was reviewed; where the source gives no version, for as
long as the compared fields stay the same. It counts again once that changes, and stands on each receipt until then. An excluded record's copies
are excluded with it.

## The status of a record that matches

With \`status: { reusable: [${STATUS_RULES.reusable.join(', ')}], follow: [${STATUS_RULES.follow.join(', ')}] }\`, of a source that is read to its end, for a question of the kind \`exists\`
(\`gone\` and \`enumerate\` see every status: a cancelled record is not gone, and is one of all):

| the record that matches | verdict | why |
| --- | --- | --- |
${STATUSES.map(({ record, verdict, why }) => row(record, `\`${verdict}\``, why)).join('\n')}

A record that is read twice, once in a status that blocks, blocks.

## Versions

Each normaliser has a version, which is raised when it gives any value another form. The key of a write is a digest of the normal forms of the
register's keys; its policy names the target's \`policyId\`, each key, and each normaliser with parameters and version. Two registers with one
target must have one policy, and a target stays bound to the policy of its first write: under another one, the record of an old key would not be
found under its new one.

## Filters

A source that is sent an identifier as a filter must find every record that agrees or is near: its \`comparison\` has to hold each normaliser of
the rule, and those of a key's \`near\`: all of them, and in the same order first where the order matters. Else the doubt is
\`predicate-narrower\`; see [the contract](contract.md). So choose for a filter what the source documents: of an address, \`trim\` and
\`case-fold\` rather than \`email\` where it folds case and no more. A source that compares by \`number\` or \`date\` is one whose field has that type.
`;
