import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const published = new URL('../../../../docs/reference/cases.md', import.meta.url);
const folder = new URL('../../../../walks/cases/', import.meta.url);

const FAMILIES: Readonly<Record<string, string>> = {
  a: 'A first page read as the whole',
  b: 'An empty page that continues',
  c: 'Cursors and drift',
  d: 'Caps and truncation',
  e: 'Totals',
  f: 'Expired cursors',
  g: 'Back ends that answer in part',
  h: 'Hidden rows',
  i: 'Index lag',
  j: 'The form of the key',
  k: 'Agents and tools',
  l: 'The write boundary',
  m: 'Malformed answers',
  n: 'Filters that are ignored',
  o: 'Acting on absence',
  q: 'Ambiguous matches',
};

interface CaseWalk {
  readonly name: string;
  readonly case: string;
  readonly about?: string;
  readonly twin?: boolean;
  readonly expect: { readonly verdict: string; readonly reasons?: readonly string[]; readonly reasonsExactly?: readonly string[] };
}

const rowOf = (family: string, file: string): string => {
  const walk = parse(readFileSync(new URL(`${family}/${file}`, folder), 'utf8')) as CaseWalk;
  const reasons = walk.expect.reasonsExactly ?? walk.expect.reasons ?? [];
  const about = walk.about === undefined ? '' : ` ([report](${walk.about}))`;
  return `| [${walk.case}](../../walks/cases/${family}/${file}) | ${walk.name}${about} | \`${walk.expect.verdict}\`${walk.twin ? ', twin' : ''} | ${reasons.join(', ')} |`;
};

const familyOf = (family: string): string => {
  const rows = readdirSync(new URL(`${family}/`, folder))
    .sort()
    .map((file) => rowOf(family, file));
  return `## ${family.toUpperCase()}: ${FAMILIES[family]}\n\n| walk | what it shows | verdict | reasons |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
};

const casesReference = (): string => `# Public bug reports as walks

Somebody read an empty answer as an absence, and it was none: each walk below is such a report, made small. Bodies are invented. A _twin_ is
the innocent answer that looks much the same, for a gate that holds everything would be right about all the others.

Judged otherwise than the report would have it:

- **M14, M16**: an id beyond 2^53 is read digit by digit here, so it is found (or its absence named) where a client that rounds would have to
  hold. The id that a rounding client would ask for is another one, and is not there.
- **L18**: a record that agrees in one key and lacks the other is a candidate for a person: a hold by \`identity-ambiguous\`, not a match.
- **M09**: the next page is asked for although its link lost the filter: a record on it would count, and its absence does not.

Reports of the write boundary (races, lost answers, redelivery, keys that the database reads otherwise) are tests of write-guard and of
delivery, not walks: a walk has no write (apps/write-guard/test/cases.int.spec.ts has them by their names).

${readdirSync(folder).sort().map(familyOf).join('\n')}`;

// Fails if a case is added or changed without the page that lists them. Run with UPDATE_DOCS=1 to write it.
it('the reference of cases is the published one', async () => {
  const text = await format(casesReference(), { ...(await resolveConfig(published)), parser: 'markdown' });
  if (process.env['UPDATE_DOCS']) writeFileSync(published, text);
  expect(readFileSync(published, 'utf8')).toBe(text);
});
