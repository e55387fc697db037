import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ask } from '../../../docs/how-to/use-as-a-library.js';
import { scriptedSource, sendJson } from './scripted-source.js';

const howTo = readFileSync(new URL('../../../docs/how-to/use-as-a-library.md', import.meta.url), 'utf8');
const example = readFileSync(new URL('../../../docs/how-to/use-as-a-library.ts', import.meta.url), 'utf8');
const fenced = (language: string): string => howTo.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

const directory = mkdtempSync(join(tmpdir(), 'lacuna-library-'));
const file = join(directory, 'contacts.yaml');
afterAll(() => rmSync(directory, { recursive: true }));

/** Two pages; the second one as given. */
const asking = async (email: string, last: unknown) => {
  const source = await scriptedSource((url, response) =>
    sendJson(response, url.searchParams.has('after') ? last : { contacts: [{ id: 'c1', email: 'ann@example.org' }], next: 'p2' }),
  );
  writeFileSync(file, fenced('yaml'));
  process.env['LACUNA_SOURCE_CRM_URL'] = source.url;
  try {
    return await ask(file, source.host, email);
  } finally {
    await source.close();
  }
};

describe('the library alone', () => {
  const end = { contacts: [{ id: 'c2', email: 'bob@example.org' }], next: null };

  it('is used as the page shows; fails when the page shows code that nobody runs', () => {
    expect(fenced('ts')).toBe(example);
  });

  it('gives a no-match after a whole read, and a match for a record on it', async () => {
    expect(await asking('eve@example.org', end)).toMatchObject({ verdict: 'scoped-no-match', partial: false });
    expect(await asking(' BOB@example.org', end)).toMatchObject({ verdict: 'match-review', matches: [{ recordId: 'c2' }] });
  });

  it('holds when the end never came; fails when an answer without its cursor is taken for the last page', async () => {
    expect(await asking('eve@example.org', { contacts: [] })).toMatchObject({ verdict: 'evidence-hold' });
  });

  it('refuses a question that does not fit the register before anything is read', async () => {
    await expect(asking('', end)).rejects.toThrow('email');
  });
});
