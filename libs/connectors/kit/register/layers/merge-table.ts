/**
 * Weakest wins: the one table of how two layers of a contract are merged, field by field. A field that one layer alone states is taken as
 * it is. Every field of the schema stands here (a test compares).
 */
import {
  attestationRule,
  canonical,
  either,
  greatest,
  greatestOrNull,
  intersection,
  isObject,
  least,
  mapOf,
  objectOf,
  replaced,
  union,
  weakest,
  type Json,
  type JsonObject,
  type MergeRule,
  type MergeTable,
} from './merge-rules.js';

const EXACT = ['exact-lookup', 'enumeration'];

/** The two exact methods are two ways to ask: neither is the weaker. */
const method: MergeRule = (lower, upper, { path, problems }) => {
  if (lower === upper || lower === 'approximate' || !EXACT.includes(String(lower))) return lower === 'approximate' ? lower : upper;
  if (EXACT.includes(String(upper))) problems.push({ path, reason: `says ${String(upper)}, where a layer below says ${String(lower)}` });
  return upper;
};

/** Of one name twice the weaker: it is lifted only by what both say lifts it. */
const hazards: MergeRule = (lower, upper, context) => {
  if (!Array.isArray(lower) || !Array.isArray(upper)) return upper;
  const nameOf = (hazard: Json): Json | undefined => (isObject(hazard) ? hazard['name'] : undefined);
  const below = new Map((lower as readonly Json[]).map((hazard) => [nameOf(hazard), hazard]));
  const both = (upper as readonly Json[]).map((hazard) => {
    const other = below.get(nameOf(hazard));
    return isObject(hazard) && isObject(other) ? weakerHazard(other, hazard) : hazard;
  });
  const names = new Set((upper as readonly Json[]).map(nameOf));
  return union(
    (lower as readonly Json[]).filter((hazard) => !names.has(nameOf(hazard))),
    both,
    context,
  );
};

const weakerHazard = (lower: JsonObject, upper: JsonObject): JsonObject => {
  const [one, other] = [lower['liftedBy'], upper['liftedBy']];
  if (one !== undefined && other !== undefined && canonical(one) === canonical(other)) return upper;
  return Object.fromEntries(Object.entries(upper).filter(([name]) => name !== 'liftedBy'));
};

/** YAML reads null and false as values; they stand for their names. */
export const cursorNames = (values: Json): Json =>
  Array.isArray(values) ? (values as readonly Json[]).map((value) => (value === null || value === false ? String(value) : value)) : values;

const REQUEST: MergeTable = {
  method: replaced,
  path: replaced,
  query: mapOf(replaced),
  headers: mapOf(replaced),
  body: replaced,
  graphql: replaced,
};

const PAGING: MergeTable = {
  kind: replaced,
  send: replaced,
  first: replaced,
  pageSize: objectOf({ send: replaced, size: replaced, echo: replaced }),
  next: replaced,
  noCursor: (lower, upper, context) => intersection(cursorNames(lower), cursorNames(upper), context),
  cursorAtEnd: weakest('never', 'allowed'),
  lifetimeMs: least,
  replay: weakest('unknown', 'consuming', 'replayable'),
  otherParameters: replaced,
  overlap: greatest,
  samePath: either,
  keeps: union,
};

const FROM_ANSWER = ['next', 'noCursor', 'cursorAtEnd', 'lifetimeMs', 'replay', 'pageSize'];

/** Another kind takes nothing over from the one below, but what a cursor and a URL have in common. */
const paging: MergeRule = (lower, upper, context) => {
  if (!isObject(lower) || !isObject(upper)) return upper;
  const [below, above] = [lower['kind'], upper['kind']];
  const same = below === undefined || above === undefined || below === above;
  const fromAnswer = ['cursor', 'url'].includes(String(below)) && ['cursor', 'url'].includes(String(above));
  const kept = same ? lower : Object.fromEntries(Object.entries(lower).filter(([name]) => fromAnswer && FROM_ANSWER.includes(name)));
  return objectOf(PAGING)(kept, upper, context);
};

export const CONNECT: MergeTable = {
  type: replaced,
  language: replaced,
  url: replaced,
  auth: replaced,
  request: objectOf(REQUEST),
  open: objectOf({ ...REQUEST, take: mapOf(replaced), retake: mapOf(replaced), flags: union }),
  confirm: objectOf(REQUEST),
  close: objectOf(REQUEST),
  format: replaced,
  unwrap: replaced,
  state: objectOf({ path: replaced, finished: intersection, running: replaced, pollDelayMs: replaced, pollsMax: least }),
  items: replaced,
  itemsAbsent: weakest('response-invalid', 'empty'),
  record: objectOf({ id: replaced, version: replaced, status: replaced, followTo: replaced, fields: mapOf(replaced) }),
  paging,
  end: union,
  total: objectOf({
    path: replaced,
    relation: weakest('estimate', 'lower-bound', 'exact'),
    relationAt: objectOf({ path: replaced, exact: intersection }),
    saturatesAt: least,
    counts: weakest('page', 'remaining', 'all'),
    firstPageOnly: either,
    optional: either,
    countedBeforeAccess: either,
  }),
  caps: union,
  snapshot: replaced,
  order: replaced,
  flags: union,
  errors: union,
  notFound: weakest('source-unavailable', 'empty'),
  noContent: weakest('response-invalid', 'empty'),
  watermark: replaced,
  byId: replaced,
  retryAfter: union,
  retries: objectOf({ retriesMax: least, delayMs: greatest, delayMsMax: greatest }),
  rateLimit: objectOf({ requests: least, perMs: greatest, key: replaced }),
  requestTimeoutMs: least,
  responseBytesMax: least,
};

export const SOURCE: MergeTable = {
  role: weakest('lookup', 'candidates', 'deciding'),
  method,
  authority: weakest('copy', 'original'),
  copyOf: replaced,
  lagMaxMs: greatestOrNull,
  recentExcludedMs: greatest,
  drift: weakest('none', 'upper-bound', 'second-pass', 'overlap', 'documented', 'keyset', 'snapshot', 'single-response'),
  // Dropping rows from a page already cut is worse than not being known to: an unknown layer must not take its consequence away.
  visibility: weakest('filtered-after-limit', 'unknown', 'targets-dropped', 'filtered-before-limit', 'all-or-nothing'),
  comparison: mapOf(objectOf({ by: weakest('unknown', 'fuzzy', 'tokens', 'equality', 'prefix', 'contains'), normalise: intersection })),
  attestation: attestationRule,
  hazards,
  attested: mapOf(attestationRule),
  orderKept: attestationRule,
  requires: union,
  projection: objectOf({ in: replaced, name: replaced, contains: union, required: either }),
  optionalFields: intersection,
  connect: objectOf(CONNECT),
};

export const mergeSource: MergeRule = objectOf(SOURCE);
