/** Registers and sources of the specs: the example files, changed where a spec says so. */
import { readFileSync } from 'node:fs';
import type { AskedIdentifier } from '@lacuna/evidence';
import { parseRegisterFile, type DocumentSource, type HttpConnect, type PostgresConnect, type RegisterDocument } from '../kit/index.js';

const exampleRegister = (name: string): RegisterDocument => {
  const parsed = parseRegisterFile(readFileSync(new URL(`../../../registers/${name}.yaml`, import.meta.url), 'utf8'), `${name}.yaml`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.register;
};

export interface RegisterAndSource<C> {
  readonly register: RegisterDocument;
  readonly source: DocumentSource & { readonly connect: C };
}

const withSource = <C extends DocumentSource['connect']>(
  register: RegisterDocument,
  connect: Partial<C>,
  rule: Partial<DocumentSource>,
): RegisterAndSource<C> => {
  const [first] = register.sources;
  if (!first) throw new Error('the example has no source');
  const source = { ...first, ...rule, connect: { ...(first.connect as C), ...connect } };
  return { register: { ...register, sources: [source] }, source };
};

/** service-requests-http.yaml: pages by cursor, has_more, exact total. */
export const aHttpRegister = (connect: Partial<HttpConnect> = {}, rule: Partial<DocumentSource> = {}): RegisterAndSource<HttpConnect> =>
  withSource<HttpConnect>(exampleRegister('service-requests-http'), connect, rule);

/** service-requests.yaml: an exact lookup in a table. */
export const aTableRegister = (
  connect: Partial<PostgresConnect> = {},
  rule: Partial<DocumentSource> = {},
): RegisterAndSource<PostgresConnect> => withSource<PostgresConnect>(exampleRegister('service-requests'), connect, rule);

export const askedFor = (reference: string, instance = 'EU-1', account = 'ACC-000001'): readonly AskedIdentifier[] =>
  Object.entries({ account, reference, instance }).map(([name, value]) => ({ name, value, provenance: 'person', lookup: null }));
