/**
 * What a register file, or the contract in a preset's file, can ever support. A contract alone is completed by the least that a register
 * would add; what it leaves to the register is named.
 */
import type { RegisterFileProblem } from '../parse-register-file.js';
import { parseRegisterFile, parsedRegister, wholeFileProblem } from '../parse-register-file.js';
import { expandPresets, httpByDefault, type Expanded } from '../layers/expand-presets.js';
import { isObject, type Json, type JsonObject } from '../layers/merge-rules.js';
import { presetText, type PresetTexts } from '../layers/preset-files.js';
import type { DocumentSource, RegisterDocument } from '../register-document.js';
import { layerProblems } from '../schema-problems.js';
import { yamlValue } from '../yaml-value.js';
import { completedRegister, leftToTheRegister } from './completed-register.js';
import { strengthOf, type Strength } from './strength-of.js';

export interface ExplainedSource {
  readonly source: string;
  readonly role: DocumentSource['role'];
  /** Fields that a contract file leaves to the register that names it; [] for a register. */
  readonly leftOpen: readonly string[];
  readonly strength: Strength;
}

export type Explained =
  | { readonly ok: true; readonly kind: 'register' | 'contract'; readonly name: string; readonly sources: readonly ExplainedSource[] }
  | { readonly ok: false; readonly problems: readonly RegisterFileProblem[] };

export const explainContract = (text: string, file: string, presets: PresetTexts = presetText): Explained => {
  const read = yamlValue(text);
  const value = read.ok ? (read.value as Json) : null;
  if (!isObject(value) || 'sources' in value) return explainRegister(text, file, presets);
  const layer = httpByDefault(value);
  const problems = layerProblems(layer);
  if (read.ok && problems.length > 0)
    return { ok: false, problems: problems.map(({ path, reason }) => ({ file, ...read.placeOf(path), path, reason, kind: 'invalid' })) };
  return explainLayer(layer, file, presets);
};

const explainRegister = (text: string, file: string, presets: PresetTexts): Explained => {
  const parsed = parseRegisterFile(text, file, { allowWeak: true, presets });
  if (!parsed.ok) return parsed;
  const { register } = parsed;
  return { ok: true, kind: 'register', name: register.name, sources: register.sources.map((source) => explained(register, source, [])) };
};

const explained = (register: RegisterDocument, { name, role }: DocumentSource, leftOpen: readonly string[]): ExplainedSource => {
  const strength = strengthOf(register, name);
  if (strength === null) throw new Error(`${name} is no source of its register`);
  return { source: name, role, leftOpen, strength };
};

const explainLayer = (layer: JsonObject, file: string, presets: PresetTexts): Explained => {
  const name = typeof layer['name'] === 'string' ? layer['name'] : file;
  const expanded: Expanded = expandPresets({ presets: [layer] }, presets);
  const at = ({ path, reason }: { path: string; reason: string }): RegisterFileProblem => wholeFileProblem(file, path, reason);
  if (expanded.problems.length > 0 || !isObject(expanded.source)) return { ok: false, problems: expanded.problems.map(at) };
  const leftOpen = leftToTheRegister(expanded.source);
  const parsed = parsedRegister(completedRegister(expanded.source), { allowWeak: true, presets });
  if (!parsed.ok) return { ok: false, problems: parsed.problems.map(at) };
  const [source] = parsed.register.sources;
  if (source === undefined) throw new Error('a completed register has one source');
  const one = explained(parsed.register, source, leftOpen);
  const unsaid = leftOpen.includes('connect.paging') ? ['continuing', 'end'] : leftOpen.includes('connect.end') ? ['end'] : [];
  const statements = one.strength.statements.filter(({ about }) => !unsaid.includes(about));
  return { ok: true, kind: 'contract', name, sources: [{ ...one, source: name, strength: { ...one.strength, statements } }] };
};
