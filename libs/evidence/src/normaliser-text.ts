/** What a normaliser is called in texts, and which version of its meaning it has. */
import type { Normaliser, NormaliserName } from './register.js';

export const normaliserName = (normaliser: Normaliser): NormaliserName =>
  typeof normaliser === 'string' ? normaliser : 'phone' in normaliser ? 'phone' : 'date';

/** One text for one normaliser with its parameters, such as `phone countryCode=49`. */
export const normaliserText = (normaliser: Normaliser): string => {
  if (typeof normaliser === 'string') return normaliser;
  return 'phone' in normaliser ? `phone countryCode=${normaliser.phone.countryCode}` : `date zone=${normaliser.date.zone}`;
};

/**
 * Raised when a normaliser gives any value another form, so that the keys of a write target that were digested under the old one are not
 * looked for under the new one. The forms of a character that Unicode has assigned never change; a key with another one is refused.
 */
export const normaliserVersions: Readonly<Record<NormaliserName, number>> = {
  nfkc: 2,
  'case-fold': 1,
  trim: 2,
  'strip-separators': 2,
  'digits-only': 1,
  'strip-leading-zeros': 1,
  number: 1,
  email: 1,
  'email-base': 1,
  confusables: 1,
  phone: 1,
  date: 1,
};
