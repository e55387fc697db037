/** Doubts about the whole question: evidence that is missing or foreign, another register, identifiers that were not confirmed. */
import type { ReasonCode } from './catalogue.js';
import type { Evidence } from './decision.js';
import type { StartedFacts } from './facts.js';
import { isSound } from './check-identifiers.js';
import { parseInstant } from './instant.js';
import { keysOf } from './compare-row.js';
import { isConfirmed } from './lookup.js';
import { OWN_WRITES, sourcesOf } from './own-writes.js';
import type { Register } from './register.js';
import type { DecisionContext } from './source-finding.js';

const KINDS: readonly string[] = ['exists', 'gone', 'enumerate'] satisfies StartedFacts['kind'][];

/** Every source of the register has to be spoken of, candidates too: what is lost may have held a match. */
const speaksOfAll = ({ started, pages, ended }: Evidence, register: Register): boolean => {
  const known = sourcesOf(register).map((rule) => rule.name);
  const startedWith = started?.sources ?? [];
  const endedWith = ended?.sources.map((entry) => entry.source) ?? [];
  const foreign = [...startedWith, ...endedWith, ...pages.map((page) => page.source)].some((source) => !known.includes(source));
  return !foreign && known.every((source) => startedWith.includes(source) && endedWith.includes(source));
};

const identifiersFit = (started: StartedFacts, register: Register): boolean => {
  const names = started.identifiers.map((identifier) => identifier.name);
  const listed = names.every((name) => Object.hasOwn(register.identifiers, name));
  const filled = started.identifiers.every((identifier) => identifier.value !== '');
  return listed && filled && new Set(names).size === names.length && keysOf(register.identifiers).every((key) => names.includes(key));
};

/** Without a key or a deciding source of its own, a register cannot support anything (`registerProblems` refuses it). */
const canDecide = (register: Register): boolean =>
  keysOf(register.identifiers).length > 0 && register.sources.some((rule) => rule.role === 'deciding' && rule.name !== OWN_WRITES);

const addsUp = ({ evidence, register, decidedAtMs }: DecisionContext): boolean => {
  const { started, ended, chainIntact } = evidence;
  if (started === null || ended === null || !chainIntact || decidedAtMs === null) return false;
  const sound = KINDS.includes(started.kind) && parseInstant(started.needsAsOf) !== null && identifiersFit(started, register);
  return sound && canDecide(register) && speaksOfAll(evidence, register);
};

/** A malformed value is found nowhere, such as a number that lost its leading zeros: nothing follows from that, whoever let it through. */
const isValidated = ({ identifiers }: StartedFacts, { evidence, register }: DecisionContext): boolean =>
  identifiers.every((asked) => isConfirmed(evidence, register, asked) && isSound(register, asked));

export const questionDoubts = (context: DecisionContext): readonly ReasonCode[] => {
  const { started } = context.evidence;
  const doubts: ReasonCode[] = [];
  if (started !== null && started.registerHash !== context.register.hash) doubts.push('register-changed');
  if (!addsUp(context)) doubts.push('evidence-incomplete');
  if (started !== null && !isValidated(started, context)) doubts.push('identity-unvalidated');
  return doubts;
};
