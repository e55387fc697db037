/** What a walk file may leave out of its register: everything that its point does not need. */
import { isObject, type Json, type JsonObject } from '../register/layers/merge-rules.js';

const FAR = '2100-01-01T00:00:00.000Z';
/** Small, so that a walk without an end is over soon. */
const BUDGET = { pagesMax: 200, recordsMax: 100_000, bytesMax: 64 * 1_048_576, elapsedMsMax: 600_000 };

/** The environment variable that stands for the address of a source's own server. */
export const addressOf = (source: string): string => `WALK_SOURCE_${source.toUpperCase().replaceAll('-', '_')}`;

type Expand = (source: JsonObject) => Json;

export const withWalkDefaults = (register: JsonObject, asked: Readonly<Record<string, string>>, expand: Expand): JsonObject => {
  const sources = Array.isArray(register['sources']) ? register['sources'] : [];
  return {
    name: 'walk',
    version: '1',
    owner: { name: 'Walk', contact: 'walk@example.org' },
    identifiers: Object.fromEntries(Object.keys(asked).map((name) => [name, { kind: 'key', normalise: [] }])),
    freshnessMs: 31_536_000_000,
    policy: 'manual',
    target: null,
    clockSkewMaxMs: 0,
    attempts: { attemptsMax: 1, elapsedMsMax: 600_000 },
    budget: BUDGET,
    ...register,
    sources: sources.map((source: Json, at) => (isObject(source) ? withSourceDefaults(source, at, expand) : source)),
  };
};

/** A default stands only where neither the source nor a preset of it says anything. */
const withSourceDefaults = (source: JsonObject, at: number, expand: Expand): JsonObject => {
  const stated = expand(source);
  const has = (name: string): boolean => isObject(stated) && Object.hasOwn(stated, name);
  const name = typeof source['name'] === 'string' ? source['name'] : at === 0 ? 'source' : `source-${at + 1}`;
  const connect = isObject(source['connect']) ? source['connect'] : {};
  const { attestation, orderKept, ...rest } = source;
  return {
    ...(has('method') ? {} : { method: 'enumeration' }),
    ...(has('authority') ? {} : { authority: 'original' }),
    ...(has('lagMaxMs') ? {} : { lagMaxMs: 0 }),
    // `attestation: null` is how a walk says that there is none.
    ...(attestation === null ? {} : { attestation: attestation ?? { by: 'walk@example.org', until: FAR } }),
    ...(orderKept === null || has('orderKept') ? {} : { orderKept: { by: 'walk@example.org', until: FAR } }),
    ...(orderKept === null || orderKept === undefined ? {} : { orderKept }),
    ...rest,
    name,
    ...(connect['type'] === 'postgres' ? {} : { connect: { ...connect, type: 'http', url: { env: addressOf(name) } } }),
  };
};
