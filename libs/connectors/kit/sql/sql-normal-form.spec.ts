import { isReadable, normalForm, type Normaliser } from '@lacuna/evidence';
import { describe, expect, it } from 'vitest';
import { hasSqlForm, normalFormDifferences, normalFormSql, probeValues, type Probe } from './sql-normal-form.js';

const names = ['nfkc', 'case-fold', 'strip-separators'] as const;

/** A server that does as the core does. */
const agreeing = (by: readonly Normaliser[] = names): Probe[] =>
  probeValues().map((value) => {
    const form = normalForm(by, value);
    return { value, form, regular: /^[ -~]+$/.test(value) && form !== '' && isReadable(by, value) };
  });

describe('the comparison of a server’s normal forms with the core’s', () => {
  it('finds nothing where both agree', () => {
    expect(normalFormDifferences(names, agreeing())).toEqual([]);
    expect(normalFormDifferences(['email'], agreeing(['email']))).toEqual([]);
  });

  // Each fails if a server that would miss rows is trusted with an exact lookup.
  it.each<[string, (probe: Probe) => Probe]>([
    ['folds I as Turkish does', (probe) => ({ ...probe, form: probe.form.replaceAll('i', '\u0131') })],
    ['keeps the underscore', (probe) => ({ ...probe, form: probe.value.includes('_') ? `${probe.form}_` : probe.form })],
    ['calls a full-width digit printable', (probe) => ({ ...probe, regular: probe.regular || probe.value.includes('１') })],
    ['calls a tilde irregular', (probe) => ({ ...probe, regular: probe.regular && !probe.value.includes('~') })],
    ['calls an empty form regular', (probe) => ({ ...probe, regular: probe.regular || probe.value === '\u00a0' })],
  ])('finds a server that %s', (_name, change) => {
    expect(normalFormDifferences(names, agreeing().map(change))).not.toEqual([]);
  });

  // Fails if a row that holds an address beside a name is left to the index, under which no address finds it.
  it('finds a server that relies on text which the core does not read', () => {
    const trusting = agreeing(['email']).map((probe) => ({ ...probe, regular: probe.regular || probe.value === 'A B <a@b.c>' }));
    expect(normalFormDifferences(['email'], trusting)).toEqual(['A B <a@b.c>']);
  });
});

describe('a form in SQL', () => {
  it('is there for what changes characters and for addresses, and not for what reads a number, a date or a telephone number', () => {
    const forms: readonly Normaliser[] = ['digits-only', 'strip-leading-zeros', 'email', 'confusables', 'number', 'email-base'];
    expect(forms.map((each) => hasSqlForm([each]))).toEqual([true, true, true, true, false, false]);
    expect(hasSqlForm(['trim', { phone: { countryCode: '49' } }])).toBe(false);
    expect(() => normalFormSql([{ date: { zone: 'UTC' } }], 'v')).toThrow('date has no form in SQL');
  });
});
