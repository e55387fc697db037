/**
 * What a register file, or the contract in a preset's file, can ever support. A contract alone is completed by the least that a register
 * would add; what it leaves to the register is named.
 */
import type { DocumentProblem } from '../connect-problems.js';
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

/** A register, or the least one around a contract that stands alone. */
export type LoadedContract =
  | {
      readonly ok: true;
      readonly kind: 'register' | 'contract';
      readonly name: string;
      readonly register: RegisterDocument;
      /** Fields that a contract file leaves to the register that names it; [] for a register. */
      readonly leftOpen: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly RegisterFileProblem[] };

export const loadContract = (text: string, file: string, presets: PresetTexts = presetText): LoadedContract => {
  const read = yamlValue(text);
  const value = read.ok ? (read.value as Json) : null;
  if (!isObject(value) || 'sources' in value) return loadRegister(text, file, presets);
  const layer = httpByDefault(value);
  const problems = layerProblems(layer);
  if (read.ok && problems.length > 0)
    return { ok: false, problems: problems.map(({ path, reason }) => ({ file, ...read.placeOf(path), path, reason, kind: 'invalid' })) };
  return loadLayer(layer, file, presets);
};

const loadRegister = (text: string, file: string, presets: PresetTexts): LoadedContract => {
  const parsed = parseRegisterFile(text, file, { allowWeak: true, presets });
  return parsed.ok ? { ok: true, kind: 'register', name: parsed.register.name, register: parsed.register, leftOpen: [] } : parsed;
};

const loadLayer = (layer: JsonObject, file: string, presets: PresetTexts): LoadedContract => {
  const name = typeof layer['name'] === 'string' ? layer['name'] : file;
  const expanded: Expanded = expandPresets({ presets: [layer] }, presets);
  const at = ({ path, reason }: DocumentProblem): RegisterFileProblem => wholeFileProblem(file, path, reason);
  if (expanded.problems.length > 0 || !isObject(expanded.source)) return { ok: false, problems: expanded.problems.map(at) };
  const parsed = parsedRegister(completedRegister(expanded.source), { allowWeak: true, presets });
  if (!parsed.ok) return { ok: false, problems: parsed.problems.map(at) };
  return { ok: true, kind: 'contract', name, register: parsed.register, leftOpen: leftToTheRegister(expanded.source) };
};

export const explainContract = (text: string, file: string, presets: PresetTexts = presetText): Explained => {
  const loaded = loadContract(text, file, presets);
  if (!loaded.ok) return loaded;
  const { kind, name, register, leftOpen } = loaded;
  const sources = register.sources.map((source) => explainedSource(register, source, leftOpen));
  return { ok: true, kind, name, sources: kind === 'register' ? sources : sources.map((source) => ({ ...source, source: name })) };
};

/** Of what a contract leaves to the register nothing is said. */
const explainedSource = (register: RegisterDocument, { name, role }: DocumentSource, leftOpen: readonly string[]): ExplainedSource => {
  const strength = strengthOf(register, name);
  if (strength === null) throw new Error(`${name} is no source of its register`);
  const unsaid = leftOpen.includes('connect.paging') ? ['continuing', 'end'] : leftOpen.includes('connect.end') ? ['end'] : [];
  const statements = strength.statements.filter(({ about }) => !unsaid.includes(about));
  return { source: name, role, leftOpen, strength: { ...strength, statements } };
};
