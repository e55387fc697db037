import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseRegisterFile, strengthOf } from '../../kit/index.js';
import { mergeSource } from '../../kit/register/layers/merge-table.js';
import type { Json } from '../../kit/register/layers/merge-rules.js';
import { httpProperties } from '../../kit/register/schema/http-schema.js';
import { sourceProperties } from '../../kit/register/schema/source-schema.js';
import { aRegisterText, type Fields } from '../a-contract.js';
import { contractReference, SECTIONS } from './contract-reference.js';
import * as examples from './examples.js';

const published = new URL('../../../../docs/reference/contract.md', import.meta.url);

const identifiers = {
  account: { kind: 'scope', normalise: [] },
  reference: { kind: 'key', normalise: ['trim', 'case-fold'] },
};

const registerOf = ({ text, whole }: examples.ReferenceExample): string => {
  const own = parse(text) as Json;
  const source = whole ? own : mergeSource(httpOf(parse(examples.base) as Json), httpOf(own), { path: '', problems: [] });
  return stringify({ ...(JSON.parse(aRegisterText({})) as object), identifiers, sources: [source] });
};

const httpOf = (source: Json): Json => {
  const { connect, ...rest } = source as Record<string, Json>;
  return { ...rest, connect: { type: 'http', ...(connect as object) } };
};

const all = Object.entries(examples as Fields)
  .flatMap(([, value]) => (Array.isArray(value) ? (value as examples.ReferenceExample[]) : []))
  .concat(examples.whole);

describe('the contract reference', () => {
  // Fails if a field changes without the page that people write contracts from. Run with UPDATE_DOCS=1 to write it.
  it('is the published one', async () => {
    const text = await format(contractReference(), { ...(await resolveConfig(published)), parser: 'markdown' });
    if (process.env['UPDATE_DOCS']) writeFileSync(published, text);
    expect(readFileSync(published, 'utf8')).toBe(text);
  });

  // Fails if a new field has no place on the page.
  it('has every field once', () => {
    const listed = SECTIONS.flatMap(({ fields }) => fields).sort();
    const known = [
      ...Object.keys(sourceProperties).filter((name) => name !== 'connect'),
      ...Object.keys(httpProperties).map((name) => `connect.${name}`),
    ];
    expect(listed).toEqual(known.sort());
  });

  // Each fails if the page shows a contract that is refused, or that is weaker or stronger than it says.
  it.each(all.map((example) => [example.title, example] as const))('shows what can be loaded: %s', (_title, example) => {
    const parsed = parseRegisterFile(registerOf(example), 'example.yaml', { allowWeak: true });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const doubts = strengthOf(parsed.register, 'tickets')?.obstacles.map(({ doubt }) => doubt);
    expect(doubts).toEqual(example.holds ?? []);
  });
});
