import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { presetNames, presetText } from '../../kit/register/layers/preset-files.js';
import { explainContract, type ExplainedSource } from '../../kit/register/strength/explain-contract.js';

const published = new URL('../../../../docs/reference/presets.md', import.meta.url);
const walks = new URL('../../../../walks/presets/', import.meta.url);

interface About {
  readonly about: {
    readonly product: string;
    readonly versions?: string;
    readonly endpoint: string;
    readonly documentedAt: readonly string[];
  };
}

const explained = (name: string): ExplainedSource => {
  const result = explainContract(presetText(name) ?? '', name, presetText);
  if (!result.ok || !result.sources[0]) throw new Error(`${name}: ${JSON.stringify(result)}`);
  return result.sources[0];
};

const listed = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

const section = (name: string): string => {
  const { about } = parse(presetText(name) ?? '') as About;
  const { strength, leftOpen } = explained(name);
  const said = (subject: string): readonly string[] => strength.statements.filter((each) => each.about === subject).map(({ text }) => text);
  const obstacles = strength.obstacles.map(({ reason, doubt }) => `${reason}: \`${doubt}\``);
  const count = readdirSync(new URL(name, walks)).length;
  const verdict =
    obstacles.length > 0
      ? `By itself it can only hold, until the register answers this:\n\n${listed(obstacles)}`
      : 'It can support a no-match.';
  return `## ${name}

${about.product}${about.versions === undefined ? '' : ` (${about.versions})`}: ${about.endpoint}. ${count} walks: [walks/presets/${name}](../../walks/presets/${name}).

${verdict}

What is left to the register: ${leftOpen.map((path) => `\`${path}\``).join(', ') || 'nothing'}.

${listed([...(leftOpen.includes('connect.paging') ? [] : said('continuing')), ...(leftOpen.includes('connect.end') ? [] : said('end')), ...said('worth')])}

It needs:

${listed(strength.conditions.map(({ text }) => text))}

Facts: ${about.documentedAt.map((url) => `<${url}>`).join(', ')}
`;
};

const presetsReference = (): string => `# Presets

What is known of an API whoever asks it: how it continues, what ends it, what makes an answer worthless. A source of a register names them
under \`presets\`. Where a fact is not verified, the stricter reading stands. This page is generated from the presets
(libs/connectors/presets); \`lacuna contract explain FILE\` says the same of a register.

${presetNames().map(section).join('\n')}`;

// Fails if a preset changes without the page that people choose one from. Run with UPDATE_DOCS=1 to write it.
it('the reference of presets is the published one', async () => {
  const text = await format(presetsReference(), { ...(await resolveConfig(published)), parser: 'markdown' });
  if (process.env['UPDATE_DOCS']) writeFileSync(published, text);
  expect(readFileSync(published, 'utf8')).toBe(text);
});
