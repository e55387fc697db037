/**
 * A register file, from YAML text to a register with every default written out, or to what is wrong with it and where. Checked in this
 * order, each only when the one before found nothing: YAML, JSON Schema, the sources' `connect` sections, the rules of the core and what
 * keeps a deciding source from ever supporting a no-match.
 */
import { registerProblems } from '@lacuna/evidence';
import { connectProblems, type DocumentProblem } from './connect-problems.js';
import { contractObstacles } from './contract-obstacles.js';
import { expandPresets, layerStating, type Expanded } from './layers/expand-presets.js';
import { isObject, type Json } from './layers/merge-rules.js';
import { presetText, type PresetTexts } from './layers/preset-files.js';
import type { RegisterDocument } from './register-document.js';
import { schemaProblems } from './schema-problems.js';
import { writtenOut } from './written-out.js';
import { yamlValue } from './yaml-value.js';

const PROBLEMS_MAX = 100;
/** Only to give the core's rules a whole register: nothing that it refuses depends on the hash. */
const NO_HASH = '0'.repeat(64);

/** What is wrong with a register file, and where: line and column from 1. */
export interface RegisterFileProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON Pointer of the offending node; '' is the whole document. */
  readonly path: string;
  readonly reason: string;
  /** `never-supports`: well formed, but no answer could make it support a no-match. */
  readonly kind: 'invalid' | 'never-supports';
}

/** Of the file as a whole: its place is its start. */
export const wholeFileProblem = (file: string, path: string, reason: string): RegisterFileProblem => ({
  file,
  line: 1,
  column: 1,
  path,
  reason,
  kind: 'invalid',
});

export interface ParseOptions {
  /** Lets a register through that could never support a no-match: the core holds by the same reasons when it decides. */
  readonly allowWeak?: boolean;
  /** Texts of presets by name; default: those that come with this library. */
  readonly presets?: PresetTexts;
}

export type RegisterFileResult =
  { readonly ok: true; readonly register: RegisterDocument } | { readonly ok: false; readonly problems: readonly RegisterFileProblem[] };

/** `file` is the name that problems carry; of the disk only the presets that it names are read. */
export const parseRegisterFile = (text: string, file: string, options: ParseOptions = {}): RegisterFileResult => {
  const read = yamlValue(text);
  if (!read.ok) return refused(read.problems.map((problem) => ({ file, path: '', kind: 'invalid', ...problem })));
  const checked = parsedRegister(read.value as Json, options);
  if (checked.ok) return checked;
  return refused(checked.problems.map(({ path, reason, kind = 'invalid' }) => ({ file, ...read.placeOf(path), path, reason, kind })));
};

const refused = (problems: readonly RegisterFileProblem[]): RegisterFileResult => ({
  ok: false,
  problems: problems.slice(0, PROBLEMS_MAX),
});

export type ParsedRegister =
  { readonly ok: true; readonly register: RegisterDocument } | { readonly ok: false; readonly problems: readonly DocumentProblem[] };

/** A register with its presets merged in, and every default. */
export const parsedRegister = (value: Json, { allowWeak = false, presets = presetText }: ParseOptions): ParsedRegister => {
  const { register: expanded, sources } = withPresets(value, presets);
  const layered = sources.flatMap(({ problems }, at) => problems.map((problem) => ({ ...problem, path: `/sources/${at}${problem.path}` })));
  if (layered.length > 0) return { ok: false, problems: layered };
  const named = (problems: readonly DocumentProblem[]): ParsedRegister => ({
    ok: false,
    problems: problems.map((each) => withLayer(each, sources)),
  });
  const problems = schemaProblems(expanded);
  if (problems.length > 0) return named(problems);
  const register = writtenOut(expanded);
  const contradictions = connectProblems(register);
  if (contradictions.length > 0) return named(contradictions);
  const refusals = [...coreProblems(register), ...contractRefusals(register)].filter(({ kind }) => !allowWeak || kind !== 'never-supports');
  return refusals.length === 0 ? { ok: true, register } : named(refusals);
};

const withPresets = (value: Json, texts: PresetTexts): { readonly register: Json; readonly sources: readonly Expanded[] } => {
  if (!isObject(value) || !Array.isArray(value['sources'])) return { register: value, sources: [] };
  const sources = (value['sources'] as readonly Json[]).map((source) => expandPresets(source, texts));
  return { register: { ...value, sources: sources.map(({ source }) => source) }, sources };
};

/** What a preset states stands in no line of the file: it is named. */
const withLayer = (problem: DocumentProblem, sources: readonly Expanded[]): DocumentProblem => {
  const [, at, path = ''] = /^\/sources\/(\d+)(\/.*)?$/.exec(problem.path) ?? [];
  const source = at === undefined ? undefined : sources[Number(at)];
  const layer = source === undefined ? null : layerStating(path, source);
  return layer === null ? problem : { ...problem, reason: `${problem.reason} (preset ${layer})` };
};

/** Of what a contract leaves open, `contractRefusals` names the place. */
const coreProblems = (register: RegisterDocument): readonly DocumentProblem[] =>
  registerProblems({ ...register, hash: NO_HASH })
    .filter(({ path }) => !path.endsWith('.contractDoubts'))
    .map(({ path, reason, kind }) => ({ path: pointerOf(register, path), reason, kind }));

const contractRefusals = (register: RegisterDocument): readonly DocumentProblem[] =>
  register.sources.flatMap((source, at) =>
    source.role === 'deciding'
      ? contractObstacles(source).map(({ path, reason }) => ({ path: `/sources/${at}${path}`, reason, kind: 'never-supports' as const }))
      : [],
  );

/** The core names places as `sources.ledger.drift`; neither sources nor identifiers have a dot in their names. */
const pointerOf = (register: RegisterDocument, path: string): string => {
  const [first, second, ...rest] = path.split('.');
  const at = register.sources.findIndex(({ name }) => name === second);
  const parts = first === 'sources' && at >= 0 ? [first, String(at), ...rest] : path.split('.');
  return parts.map((part) => `/${part}`).join('');
};
