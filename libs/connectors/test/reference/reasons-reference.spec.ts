import { readFileSync, writeFileSync } from 'node:fs';
import { catalogue, reasonCodes } from '@lacuna/evidence';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';

const published = new URL('../../../../docs/reference/reasons.md', import.meta.url);

const yes = (value: boolean): string => (value ? 'yes' : '');

const row = (code: (typeof reasonCodes)[number]): string => {
  const { kind, meaning, owner, retryHelps, healsByWaiting, coverage, raisedBy, detected } = catalogue[code];
  return `| \`${code}\` | ${kind} | ${meaning} | ${raisedBy}${detected ? '' : ' (not yet)'} | ${owner} | ${yes(retryHelps)} | ${yes(healsByWaiting)} | ${coverage} |`;
};

const reasonsReference = (): string => `# Reasons

Every decision says why, with codes of this one closed catalogue. A **stop** ends an attempt on a source, a **doubt** stands beside an ended one.
Only \`end-signalled\` is an end; any other code of a deciding source holds. This page is generated from the catalogue (libs/evidence).

- _by_: which part raises it. \`(not yet)\`: nothing raises it in this version.
- _owner_: who acts on it.
- _retry_: repeating the attempt within the same search can help. _heals_: a later search can help although nobody acts.
- _coverage_: the coarse word that API answers carry beside \`partial\`.

| code | kind | meaning | by | owner | retry | heals | coverage |
| --- | --- | --- | --- | --- | --- | --- | --- |
${reasonCodes.map(row).join('\n')}
`;

// Fails if the catalogue changes without the page that people look reasons up in. Run with UPDATE_DOCS=1 to write it.
it('the reference of reasons is the published one', async () => {
  const text = await format(reasonsReference(), { ...(await resolveConfig(published)), parser: 'markdown' });
  if (process.env['UPDATE_DOCS']) writeFileSync(published, text);
  expect(readFileSync(published, 'utf8')).toBe(text);
});
