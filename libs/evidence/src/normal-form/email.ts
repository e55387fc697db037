/** E-mail addresses. The exact form changes only what no mail system tells apart in practice; the base form is for candidates. */
import { foldCase } from './fold-case.js';
import { trim, withoutInvisible } from './invisible.js';
import { asciiLabel } from './punycode.js';

/** By character, as the table of UTS 46 does: without the final sigma of a word. */
const lowered = (text: string): string => Array.from(text, (character) => character.toLowerCase()).join('');

/** UTS 46 without its checks: NFKC, lower case, ideographic full stops as dots, Punycode. Keeps ß and final sigma, as IDNA 2008 does. */
const domainForm = (domain: string): string =>
  lowered(domain.normalize('NFKC'))
    .normalize('NFKC')
    .split(/[.\u3002]/)
    .map(asciiLabel)
    .join('.');

const partsOf = (address: string): readonly [string, string | null] => {
  const at = address.lastIndexOf('@');
  return at < 0 ? [address, null] : [address.slice(0, at), address.slice(at + 1)];
};

/** Without `@` there is no domain, and the text is folded as a whole. */
export const emailForm = (value: string): string => {
  const [local, domain] = partsOf(trim(withoutInvisible(value)));
  return domain === null ? foldCase(local) : `${foldCase(local)}@${domainForm(domain)}`;
};

/** Providers that document that dots in the local part mean nothing, by domain; the value is the domain that stands for them. */
const DOTLESS: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' };

/** Without what follows a plus, and for named providers without dots. Two of such addresses may have one mailbox; nothing proves it. */
export const emailBase = (value: string): string => {
  const [local, domain] = partsOf(emailForm(value));
  if (domain === null) return local;
  const plus = local.indexOf('+');
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  const provider = Object.hasOwn(DOTLESS, domain) ? DOTLESS[domain] : undefined;
  return provider === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${provider}`;
};
