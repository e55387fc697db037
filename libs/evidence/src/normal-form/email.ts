/** E-mail addresses. The exact form changes only what no mail system tells apart in practice; the base form is for candidates. */
import { READ_UNITS_MAX } from './digits.js';
import { foldCase } from './fold-case.js';
import { isAscii, trim, withoutInvisible } from './invisible.js';
import { asciiLabel } from './punycode.js';

/** Bare: with a name, brackets, a comment, quotes or a second address beside it, text may hold the address and is not equal to it. */
const ADDRESS = /^([^\s@<>()[\]:;,"\\]+)@([^\s@<>()[\]:;,"\\]+)$/u;
const DOMAIN = /^[^.]+(?:\.[^.]+)*$/u;

/**
 * Characters for which the lower case of NFKC is not what the tables of UTS 46 make of a domain, or for which its versions differ: the
 * address that is meant depends on who looks it up. After NFD, which takes the iota subscript off its letter.
 */
const UNCERTAIN = /[\p{Script=Cherokee}\u0345\u03F2\u1C80-\u1C8A\u1E9E\u{1D6D3}\u{1D70D}\u{1D747}\u{1D781}\u{1D7BB}]/u;

/** By character, as the table of UTS 46 does: without the final sigma of a word. */
const lowered = (text: string): string => (isAscii(text) ? text.toLowerCase() : byCharacter(text));
const byCharacter = (text: string): string => Array.from(text, (character) => character.toLowerCase()).join('');

/** UTS 46 without its checks: NFKC, lower case, Punycode. Keeps ß and final sigma, as IDNA 2008 does. A dot at the end says nothing more. */
const domainForm = (domain: string): string | null => {
  const plain = lowered(domain).normalize('NFKC').replaceAll('\u3002', '.').replace(/\.$/, '');
  return !DOMAIN.test(plain) ? null : isAscii(plain) ? plain : plain.split('.').map(asciiLabel).join('.');
};

/** The whole address; null when it is not read as one. */
export const emailForm = (value: string): string | null => {
  const seen = trim(withoutInvisible(value));
  if (seen.length > READ_UNITS_MAX || (!isAscii(seen) && UNCERTAIN.test(seen.normalize('NFD')))) return null;
  const [, local = '', domain = ''] = ADDRESS.exec(seen.normalize('NFKC')) ?? [];
  const host = domainForm(domain);
  return local === '' || host === null ? null : `${foldCase(local).normalize('NFKC')}@${host}`;
};

/** Providers that document that dots in the local part mean nothing, by domain; the value is the domain that stands for them. */
const DOTLESS: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' };

/** Without what follows a plus, and for named providers without dots. Two of such addresses may have one mailbox; nothing proves it. */
export const emailBase = (value: string): string | null => {
  const [local = '', domain = ''] = emailForm(value)?.split('@') ?? [];
  if (domain === '') return null;
  const plus = local.indexOf('+');
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  const provider = Object.hasOwn(DOTLESS, domain) ? DOTLESS[domain] : undefined;
  const undotted = untagged.replaceAll('.', '');
  return provider === undefined || undotted === '' ? `${untagged}@${domain}` : `${undotted}@${provider}`;
};

/** Text that is read as no address holds the wanted one at most where it holds what stands before its `@`. */
export const mayHoldEmail = (wanted: string, found: string): boolean => {
  const text = foldCase(withoutInvisible(found).normalize('NFKC')).normalize('NFKC');
  return text.includes(wanted.slice(0, wanted.indexOf('@')));
};
