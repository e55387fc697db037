import type { Connect, HttpAuth, HttpRequest, SecretReference } from './connect.js';
import type { RegisterDocument } from './register-document.js';
import { sentValues } from './sent-values.js';

/** Every secret and address that creating at the target needs, by reference. */
export const targetReferences = (target: RegisterDocument['target']): readonly SecretReference[] =>
  target?.kind === 'outside' ? [target.create.url, ...authReferences(target.create.auth)] : [];

/** Every secret and address that a source needs, by reference. */
export const secretReferences = (connect: Connect): readonly SecretReference[] => {
  if (connect.type !== 'http') return [connect.url];
  const requests = [connect.request, connect.open, connect.confirm, connect.close].filter((request) => request !== undefined);
  return [connect.url, ...authReferences(connect.auth), ...requests.flatMap(requestReferences)];
};

const authReferences = (auth: HttpAuth): readonly SecretReference[] =>
  Object.values(auth).filter((part): part is SecretReference => typeof part === 'object' && part !== null);

const requestReferences = (request: HttpRequest): readonly SecretReference[] =>
  sentValues(request).flatMap(({ value }) => ('secret' in value ? [value.secret] : []));
