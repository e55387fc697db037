import { normalForm } from '@lacuna/evidence';
import { describe, expect, it } from 'vitest';
import { normalFormDifferences, probeValues, type Probe } from './sql-normal-form.js';

const names = ['nfkc', 'case-fold', 'strip-separators'] as const;

/** A server that does as the core does. */
const agreeing = (): Probe[] =>
  probeValues().map((value) => {
    const form = normalForm(names, value);
    return { value, form, regular: /^[ -~]+$/.test(value) && form !== '' };
  });

describe('the comparison of a server’s normal forms with the core’s', () => {
  it('finds nothing where both agree', () => {
    expect(normalFormDifferences(names, agreeing())).toEqual([]);
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
});
