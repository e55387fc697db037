import { readFileSync, writeFileSync } from 'node:fs';
import { checkIdentifiers, compareRow, isReadable, normalForm, normaliserName, normaliserText, type PageRow } from '@lacuna/evidence';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { anAsked, aRegister, aRow, cleanRead, codesOf, decideOn } from '../../../evidence/test/builders.js';
import { parseRegisterFile } from '../../kit/index.js';
import { aRegisterText, aSourceOf } from '../a-contract.js';
import { COMPARISONS, NORMALISERS, REGISTER_EXAMPLE, STATUSES, STATUS_RULES, type StatusText } from './matching-examples.js';
import { matchingReference } from './matching-reference.js';

const published = new URL('../../../../docs/reference/matching.md', import.meta.url);

const withIdentifiers = (identifiers: unknown): string =>
  stringify({ ...(JSON.parse(aRegisterText(aSourceOf({ comparison: {} }, { request: { path: '/things' } }))) as object), identifiers });

const recordsOf = ({ status, mergedInto }: StatusText): readonly PageRow[] => {
  const target = mergedInto ? [aRow({ recordId: 'target', status: mergedInto.status, results: { reference: 'differ' } })] : [];
  return [aRow({ status, followedTo: mergedInto ? 'target' : null }), ...target];
};

describe('the reference of matching', () => {
  // Fails if an example changes without the page. Run with UPDATE_DOCS=1 to write it.
  it('is the published one', async () => {
    const text = await format(matchingReference(), { ...(await resolveConfig(published)), parser: 'markdown' });
    if (process.env['UPDATE_DOCS']) writeFileSync(published, text);
    expect(readFileSync(published, 'utf8')).toBe(text);
  });

  // Fails if a normaliser is added that nobody can look up, or is written otherwise in a register file.
  it('has every normaliser, as a register file writes it', () => {
    const schema = JSON.stringify(parse(readFileSync(new URL('../../../../docs/schemas/register.schema.json', import.meta.url), 'utf8')));
    const known = /"then":\{"enum":(\[[^\]]*\])/.exec(schema)?.[1] ?? '[]';
    expect(NORMALISERS.map(({ normaliser }) => normaliserName(normaliser)).sort()).toEqual(
      [...(JSON.parse(known) as string[]), 'date', 'phone'].sort(),
    );
    for (const { normaliser, written } of NORMALISERS) expect(parse(written)).toEqual(normaliser);
  });

  const forms = NORMALISERS.flatMap(({ normaliser, forms }) =>
    forms.map((form) => [normaliserText(normaliser), normaliser, ...form] as const),
  );

  it.each(forms)('says what %s makes: %j, %j is %j', (_text, normaliser, value, form) => {
    expect(isReadable([normaliser], value) ? normalForm([normaliser], value) : null).toBe(form);
  });

  it.each(forms.filter(([, , , form]) => form === null))('says rightly that %s refuses a question: %j, %j', (_text, normaliser, value) => {
    const register = aRegister({ identifiers: { reference: { kind: 'key', normalise: [normaliser] } } });
    const [problem] = checkIdentifiers(register, [{ name: 'reference', value }]);
    const decision = decideOn(register, [cleanRead('crm')], { identifiers: [anAsked('reference', value)] });
    expect([problem?.problem, decision.verdict, codesOf(decision)]).toEqual(['unreadable', 'evidence-hold', ['identity-unvalidated']]);
  });

  it.each(COMPARISONS)('says when the result is $result: $means', ({ result, rule, asked, found }) => {
    const row = { recordId: '1', version: null, status: null, followedTo: null, values: found === undefined ? {} : { key: found } };
    expect(compareRow({ key: rule }, [anAsked('key', asked)], row, []).results).toEqual({ key: result });
  });

  it('shows identifiers that can be loaded', () => {
    const { identifiers } = parse(REGISTER_EXAMPLE) as { identifiers: unknown };
    const parsed = parseRegisterFile(withIdentifiers(identifiers), 'example.yaml', { allowWeak: true });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  });

  it.each(['email-base', 'confusables'])('says rightly that %s is for near alone', (name) => {
    const load = (rule: object) =>
      parseRegisterFile(withIdentifiers({ account: { kind: 'scope', normalise: [] }, reference: { kind: 'key', ...rule } }), 'e.yaml', {
        allowWeak: true,
      });
    expect(load({ normalise: [name] })).toMatchObject({ ok: false, problems: [{ path: '/identifiers/reference/normalise' }] });
    expect(load({ normalise: [], near: [name] }).ok).toBe(true);
  });

  it.each(STATUSES)('says what a record means that is $record: $verdict', (each) => {
    const register = aRegister({ status: STATUS_RULES });
    expect(decideOn(register, [cleanRead('crm', [{ rows: recordsOf(each) }, {}])]).verdict).toBe(each.verdict);
  });
});
