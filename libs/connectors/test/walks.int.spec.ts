/** Every walk file of the repository, every example of the page on walks, and what a walk file that is none is told. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseWalkFile, runWalk, type WalkResult } from '../kit/walks/index.js';

const folder = new URL('../../../walks/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
const page = readFileSync(new URL('../../../docs/how-to/write-a-walk.md', import.meta.url), 'utf8');
const examples = page
  .split('```yaml\n')
  .slice(1)
  .map((part) => part.split('```')[0] ?? '');

const run = async (text: string, file: string): Promise<WalkResult> => {
  const parsed = parseWalkFile(text, file);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ line, path, reason }) => `${file}:${line} ${path} ${reason}`).join('\n'));
  return runWalk(parsed.walk);
};

// Each fails if the decision, its reasons or its requests are others than the walk file expects.
describe('the walk', () => {
  it.each(files.sort())('%s gives what it expects', async (file) => {
    const { differences, verdict, reasons, requests } = await run(readFileSync(new URL(file, folder), 'utf8'), file);
    expect(differences, `${verdict} for ${reasons.join(', ')} after ${JSON.stringify(requests)}`).toEqual([]);
  });

  it.each(examples.map((text, at) => [at + 1, text] as const))('of example %i on the page gives what the page says', async (at, text) => {
    expect(await run(text, `example ${at}`)).toMatchObject({ differences: [] });
  });
});

const [first = ''] = examples;
const changed = (from: string, to: string): string => {
  if (!first.includes(from)) throw new Error(`the example lacks ${from}`);
  return first.replace(from, to);
};

describe('a walk file', () => {
  // Fails if the runner passes whatever comes: the other verdicts must be failures of the same walk.
  it.each([
    ['another verdict', 'verdict: match-review', 'verdict: scoped-no-match', 'verdict match-review instead of scoped-no-match'],
    ['a reason that is not there', 'verdict: match-review', 'verdict: match-review\n  reasons: [timed-out]', 'no reason timed-out'],
    ['another request', 'cursor: c1', 'cursor: c9', 'request 2 is not'],
    ['too few requests', ', { query: { cursor: c1 } }', '', '2 requests instead of 1'],
    ['a refusal that is none', 'verdict: match-review', 'verdict: match-review\n  refused: true', 'the register would be loaded'],
  ])('that expects %s fails', async (_name, from, to, difference) => {
    const { passed, differences } = await run(changed(from, to), 'w.yaml');
    expect(passed).toBe(false);
    expect(differences.join('\n')).toContain(difference);
  });

  it('whose answers run out fails, and says which request had none', async () => {
    const { differences } = await run(
      changed(', next: null }', ', next: c2 }').replace('email: ann@example.org }], next: c2', 'email: eve@example.org }], next: c2'),
      'w.yaml',
    );
    expect(differences).toContain('no answer is scripted for GET /tickets?cursor=c2');
  });

  it.each([
    ['an unknown field', 'expect:', 'expekt: 1\nexpect:', 'w.yaml:16 /expekt is no field of a walk file'],
    ['an unknown reason', 'verdict: match-review', 'verdict: match-review\n  reasons: [no-such]', 'no-such is no reason'],
    ['a mistake in its register', 'items: /items', 'itemz: /items', '/register/sources/0/connect/itemz is no field of a register'],
    ['two bodies', "- json: { items: [{ id: '1'", "- text: x\n    json: { items: [{ id: '1'", '/responses/0 has more than one'],
    ['a number that YAML rounds', "id: '1'", 'id: 9007199254740993', 'would be rounded'],
    [
      'answers of no source',
      "responses:\n  - json: { items: [{ id: '1', email: bob@example.org }], next: c1 }\n  - json: { items: [{ id: '2', email: ann@example.org }], next: null }",
      'responses: { other: [] }',
      '/responses/other is no source',
    ],
  ])('with %s is refused with its place', (_name, from, to, problem) => {
    const parsed = parseWalkFile(changed(from, to), 'w.yaml');
    const problems = parsed.ok ? [] : parsed.problems.map(({ file, line, path, reason }) => `${file}:${line} ${path} ${reason}`);
    expect(problems.join('\n')).toContain(problem);
  });
});
