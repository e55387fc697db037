import fc from 'fast-check';
import { domainToASCII } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { exhaustive } from '../../test/exhaustive.js';
import { emailBase, emailForm, mayHoldEmail } from './email.js';

/** Properties are slow on a busy machine; their bound is the number of runs. */
vi.setConfig({ testTimeout: 120_000 });

describe('e-mail addresses', () => {
  it.each([
    ['Ann.Lee+vip@Example.ORG', 'ann.lee+vip@example.org'],
    [' ann@example.org\u200b', 'ann@example.org'],
    ['ann@example.org.', 'ann@example.org'],
    ['ann＠ｅxample。org', 'ann@example.org'],
    ['ann@MÜNCHEN.example', 'ann@xn--mnchen-3ya.example'],
    ['ann@mu\u0308nchen.example', 'ann@xn--mnchen-3ya.example'],
    ['ann@XN--MNCHEN-3YA.example', 'ann@xn--mnchen-3ya.example'],
    ['RENE\u0301@example.org', 'ren\u00e9@example.org'],
    ['o’neil@example.org', 'o’neil@example.org'],
    ['ann@localhost', 'ann@localhost'],
  ])('%j is %j', (value, form) => expect(emailForm(value)).toBe(form));

  // Each fails if text that holds an address beside something else is compared as if it were another address.
  it.each([
    ['a name beside it', 'Ann <ann@example.org>'],
    ['a scheme', 'mailto:ann@example.org'],
    ['two addresses', 'ann@example.org; bob@example.org'],
    ['a comment', 'ann(work)@example.org'],
    ['quotes', '"ann lee"@example.org'],
    ['no domain', 'ann@'],
    ['no local part', '@example.org'],
    ['an empty label', 'ann@example..org'],
    ['no at sign', 'ann at example.org'],
    ['nothing', ''],
    ['more than any address', `${'a'.repeat(520)}@example.org`],
  ])('%s is not read', (_why, value) => expect(emailForm(value)).toBeNull());

  // Fails if a domain is read otherwise than by those who look it up: two spellings of one address would be two. What is not sure is not read.
  exhaustive('have the domain that UTS 46 gives, for every character, or are not read', () => {
    for (let code = 0x80; code < 0x110000; code += 1) {
      const character = String.fromCodePoint(code);
      if (/\p{Surrogate}|\p{Unassigned}|\p{Private_Use}/u.test(character)) continue;
      const known = domainToASCII(`a${character}b.example`);
      const form = emailForm(`x@a${character}b.example`);
      if (known !== '' && form !== null && form !== `x@${known}`) expect([code.toString(16), form]).toEqual([code.toString(16), known]);
    }
  });

  it('have that domain for words of several scripts too', () => {
    const letter = fc.constantFrom(...'aÄßIıİσΣςάΌжЁаबिंกำ中カがｶﾞ한\u1112\u1161\u11ab\u0301\u0308ﬁ1２');
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 6 }), (letters) => {
        const domain = `${letters.join('')}.example`;
        const known = domainToASCII(domain);
        return known === '' || emailForm(`x@${domain}`) === `x@${known}`;
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['Cherokee, whose small letters came later', 'ann@Ꭰ.example'],
    ['an iota subscript', 'ann@ᾳ.example'],
    ['a capital sharp s, of which versions differ', 'ann@STRAẞE.example'],
    ['a lunate sigma', 'ann@ϲ.example'],
  ])('with %s in the domain are not read', (_why, value) => expect(emailForm(value)).toBeNull());

  it('keep sharp s and final sigma in a domain, which are other domains than ss and sigma', () => {
    expect(emailForm('a@straße.example')).toBe('a@xn--strae-oqa.example');
    expect(emailForm('a@strasse.example')).toBe('a@strasse.example');
  });
});

describe('the base of an address', () => {
  it.each([
    ['Ann.Lee+vip@example.org', 'ann.lee@example.org'],
    ['a.n.n+x@gmail.com', 'ann@gmail.com'],
    ['ann@GoogleMail.com', 'ann@gmail.com'],
    ['+ann@example.org', '+ann@example.org'],
    ['...@gmail.com', '...@gmail.com'],
  ])('of %j is %j', (value, base) => expect(emailBase(value)).toBe(base));

  it('of what is no address is none', () => expect(emailBase('Ann <ann@example.org>')).toBeNull());

  it('is an address, and its own base', () => {
    const local = fc.string({ unit: fc.constantFrom(...'ab.+Σß'), minLength: 1 });
    fc.assert(
      fc.property(local, fc.constantFrom('gmail.com', 'googlemail.com', 'Example.org'), (name, domain) => {
        const base = emailBase(`${name}@${domain}`);
        expect(base).not.toBeNull();
        expect(emailBase(base ?? '')).toBe(base);
        expect(emailForm(base ?? '')).toBe(base);
      }),
    );
  });
});

describe('text that is no address', () => {
  it.each(['Ann <ANN@example.org>', 'mailto:ann@example.org', 'bob@x.org, ann@example.org', 'ann at example.org', 'ａｎｎ (work)'])(
    'may hold ann@example.org: %j',
    (found) => expect(mayHoldEmail('ann@example.org', found)).toBe(true),
  );

  it.each(['Bob <bob@example.org>', 'n/a', 'none'])('does not hold ann@example.org: %j', (found) =>
    expect(mayHoldEmail('ann@example.org', found)).toBe(false),
  );
});
