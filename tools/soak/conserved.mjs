/**
 * Whether nothing was lost and nothing done twice, from what lies in the log and in the target table. Pure.
 *
 * @typedef {import('./read-log.mjs').Logged} Logged
 * @typedef {{ recordId: string, key: string }} StoredRecord of the target table; `key`: its digest
 * @typedef {object} Conserved
 * @property {Record<string, number>} counts
 * @property {Record<string, string>} problems by the check that found it; empty: all is well
 */

const SAID_MAX = 3;

/**
 * @param {{ asked: readonly string[], log: readonly Logged[], records: readonly StoredRecord[] }} facts `asked`: what the gateway accepted
 * @returns {Conserved}
 */
export function conserved({ asked, log, records }) {
  const first = firstOfEach(log);
  const of = (/** @type {string} */ type) => [...first.values()].filter((one) => one.type === type).map(({ value }) => JSON.parse(value));
  const questions = of('lacuna.question.asked');
  const verdicts = of('lacuna.verdict.reached');
  const receipts = of('lacuna.receipt.appended');
  const settled = of('lacuna.write.settled');
  const created = settled.filter(({ answer }) => answer === 'created');
  /** @type {Record<string, string[]>} */
  const checks = {
    'every question that was accepted is in the log': missing(
      asked,
      questions.map(({ questionId }) => questionId),
    ),
    'every question has a verdict': missing(
      asked,
      verdicts.map(({ questionId }) => questionId),
    ),
    'one verdict per generation': repeated(verdicts.map(generationOf)),
    'one receipt per verdict': [
      ...missing(verdicts.map(receiptOf), receipts.map(receiptOf)),
      ...missing(receipts.map(receiptOf), verdicts.map(receiptOf)),
      ...repeated(receipts.map(generationOf)),
    ],
    'leaf indexes without gaps': gaps(receipts),
    'one answer per attempt of a write': repeated(settled.map(generationOf)),
    'one record per key': repeated(records.map(({ key }) => key)),
    'each record was created once, and each creation is a record': [
      ...missing(
        records.map(({ recordId }) => recordId),
        created.map(({ recordId }) => recordId),
      ),
      ...missing(
        created.map(({ recordId }) => recordId),
        records.map(({ recordId }) => recordId),
      ),
      ...repeated(created.map(({ recordId }) => recordId)),
    ],
    'repetitions have the same bytes': differing(log, first),
    'each key is in order': inversions(first),
  };
  return {
    counts: {
      asked: asked.length,
      messages: log.length,
      repetitions: log.length - first.size,
      verdicts: verdicts.length,
      receipts: receipts.length,
      holds: verdicts.filter(({ verdict }) => verdict === 'evidence-hold').length,
      created: created.length,
      exists: settled.filter(({ answer }) => answer === 'exists').length,
      records: records.length,
    },
    problems: Object.fromEntries(
      Object.entries(checks).flatMap(([name, wrong]) =>
        wrong.length > 0 ? [[name, `${wrong.length}: ${wrong.slice(0, SAID_MAX).join(', ')}`]] : [],
      ),
    ),
  };
}

/** @param {readonly Logged[]} log @returns {Map<string, Logged>} in log order, by type and id */
function firstOfEach(log) {
  /** @type {Map<string, Logged>} */
  const first = new Map();
  for (const one of log) {
    const name = `${one.type} ${one.id}`;
    if (!first.has(name)) first.set(name, one);
  }
  return first;
}

/** @param {readonly Logged[]} log @param {ReadonlyMap<string, Logged>} first */
const differing = (log, first) =>
  log.filter((one) => first.get(`${one.type} ${one.id}`)?.value !== one.value).map(({ type, id }) => `${type} ${id}`);

/** @param {{ questionId: string, generation: number }} data */
const generationOf = ({ questionId, generation }) => `${questionId}/${generation}`;
/** @param {{ questionId: string, generation: number, receiptId: string }} data */
const receiptOf = (data) => `${generationOf(data)} ${data.receiptId}`;

/** @param {readonly string[]} wanted @param {readonly string[]} there */
function missing(wanted, there) {
  const known = new Set(there);
  return wanted.filter((one) => !known.has(one));
}

/** @param {readonly string[]} names */
function repeated(names) {
  const seen = new Set();
  return names.filter((name) => seen.size === seen.add(name).size);
}

/** @param {readonly { tenantId: string, leafIndex: number }[]} receipts */
function gaps(receipts) {
  /** @type {Map<string, number[]>} */
  const byTenant = new Map();
  for (const { tenantId, leafIndex } of receipts) byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), leafIndex]);
  return [...byTenant].flatMap(([tenant, leaves]) => {
    const sorted = leaves.sort((one, other) => one - other);
    return sorted.flatMap((leaf, at) =>
      at > 0 && leaf !== /** @type {number} */ (sorted[at - 1]) + 1 ? [`${tenant} before ${leaf}`] : [],
    );
  });
}

/**
 * What was said first of each thing stands in an order that a reader can rely on: a generation behind the one before it, a page behind the one
 * before it, the end of a search behind its start and its pages, a permit before its answer.
 * @param {ReadonlyMap<string, Logged>} first
 */
function inversions(first) {
  /** @type {Map<string, number>} */
  const last = new Map();
  /** @type {string[]} */
  const wrong = [];
  for (const { topic, key, type, value } of first.values()) {
    const data = JSON.parse(value);
    for (const [name, rank] of ranksOf(type, data)) {
      const place = `${topic} ${key} ${name}`;
      if (rank < (last.get(place) ?? -Infinity)) wrong.push(`${type} in ${place}`);
      last.set(place, Math.max(rank, last.get(place) ?? -Infinity));
    }
  }
  return wrong;
}

/** @param {string} type @param {any} data @returns {readonly (readonly [string, number])[]} */
function ranksOf(type, data) {
  switch (type) {
    case 'lacuna.search.started':
      return [
        ['generation', data.generation],
        [`search ${data.generation}`, 0],
      ];
    case 'lacuna.page.read':
      return [
        [`attempt ${data.attemptId}`, data.sequence],
        [`search ${data.generation}`, 1],
      ];
    case 'lacuna.search.ended':
      return [[`search ${data.generation}`, 2]];
    case 'lacuna.verdict.reached':
      return [['generation', data.generation]];
    case 'lacuna.permit.granted':
      return [[`write ${data.generation}`, 0]];
    case 'lacuna.write.settled':
      return [[`write ${data.generation}`, 1]];
    default:
      return [];
  }
}
