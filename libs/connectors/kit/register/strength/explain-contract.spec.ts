import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { aRegisterText, aSourceOf } from '../../../test/a-contract.js';
import { explainContract, type Explained } from './explain-contract.js';

const desk = {
  name: 'desk',
  visibility: 'filtered-after-limit',
  comparison: { query: { by: 'tokens' } },
  connect: {
    request: { path: '/search/{site}', query: { q: { template: 'ref:{query}' } } },
    paging: { kind: 'page', send: 'page', pageSize: { send: 'per_page', size: 100 } },
    end: [{ by: 'short-page', documentedAt: 'https://example.org/docs' }],
    total: { path: '/count', relation: 'estimate' },
  },
};
const texts = (name: string): string | null => (name === 'desk' ? stringify(desk) : null);

const explained = (value: unknown): Extract<Explained, { ok: true }> => {
  const found = explainContract(stringify(value), 'c.yaml', texts);
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found;
};

describe('an explanation', () => {
  it('of a register names each of its sources', () => {
    const found = explainContract(aRegisterText(aSourceOf({ lagMaxMs: null })), 'r.yaml', texts);
    expect(found).toMatchObject({
      ok: true,
      kind: 'register',
      name: 'things',
      sources: [{ source: 'things', leftOpen: [], strength: { canSupport: false, obstacles: [{ path: '/sources/0/lagMaxMs' }] } }],
    });
  });

  // Fails if a preset is said to be able to support what no register could make of it, or is blamed for what it leaves to the register.
  it('of a contract alone says what keeps it from a no-match, and what it leaves to the register', () => {
    const [source] = explained(desk).sources;
    expect(source?.leftOpen).toEqual(['method', 'authority', 'lagMaxMs', 'connect.items', 'connect.record.id', 'connect.record.fields']);
    expect(source?.strength.obstacles.map(({ path, doubt }) => `${path} ${doubt}`)).toEqual([
      '/sources/0/comparison predicate-narrower',
      '/sources/0/drift drift-possible',
      '/sources/0/connect/end visibility-limited',
    ]);
    expect(source?.strength.statements.map(({ text }) => text)).toContain('/count counts all records (estimate).');
  });

  it('of a layer over a preset sees the preset', () => {
    const [source] = explained({ presets: ['desk'], drift: 'second-pass', visibility: 'all-or-nothing' }).sources;
    expect(source?.strength.obstacles.map(({ doubt }) => doubt)).toContain('visibility-limited');
  });

  it('of a contract that does not say how it continues says nothing of its end', () => {
    const [source] = explained({ connect: { flags: [{ path: '/partial', clean: [false] }] } }).sources;
    expect(source?.leftOpen).toContain('connect.paging');
    expect(source?.strength.statements.map(({ about }) => about)).not.toContain('end');
  });

  it.each([
    ['a wrong field', 'connect: { itemz: /x }', '/connect/itemz is no field'],
    ['no YAML', 'connect: [', ''],
    ['a preset that does not exist', 'presets: [dusk]', '/presets/0 there is no preset dusk'],
    ['nothing', '', ''],
  ])('of %s names the problem', (_name, text, problem) => {
    const found = explainContract(text, 'c.yaml', texts);
    expect(found.ok ? [] : found.problems.map(({ path, reason }) => `${path} ${reason}`).join()).toContain(problem);
    expect(found.ok).toBe(false);
  });
});
