/**
 * A register file, from YAML text to a register with every default written out, or to what is wrong with it and where. Checked in this
 * order, each only when the one before found nothing: YAML, JSON Schema, the sources' `connect` sections, the rules of the core and what
 * keeps a deciding source from ever supporting a no-match.
 */
import { registerProblems } from '@lacuna/evidence';
import { LineCounter, isAlias, isMap, isNode, parseDocument, visit, type Document, type Node, type Pair } from 'yaml';
import { connectProblems, type DocumentProblem } from './connect-problems.js';
import { contractObstacles } from './contract-obstacles.js';
import type { RegisterDocument } from './register-document.js';
import { schemaProblems } from './schema-problems.js';
import { writtenOut } from './written-out.js';

const FILE_UNITS_MAX = 1_048_576;
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

export interface ParseOptions {
  /** Lets a register through that could never support a no-match: the core holds by the same reasons when it decides. */
  readonly allowWeak?: boolean;
}

export type RegisterFileResult =
  { readonly ok: true; readonly register: RegisterDocument } | { readonly ok: false; readonly problems: readonly RegisterFileProblem[] };

/** `file` is the name that problems carry; nothing is read from disk. */
export const parseRegisterFile = (text: string, file: string, options: ParseOptions = {}): RegisterFileResult => {
  const lines = new LineCounter();
  const at = (offset: number, path: string, reason: string, kind: RegisterFileProblem['kind'] = 'invalid'): RegisterFileProblem => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), path, reason, kind };
  };
  if (text.length > FILE_UNITS_MAX) return refused([at(0, '', `longer than ${FILE_UNITS_MAX} characters`)]);
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, stringKeys: true, prettyErrors: false });
  const syntax = [...document.errors, ...document.warnings].map(({ pos, message }) => at(pos[0], '', message));
  if (syntax.length > 0) return refused(syntax);
  const shared = sharedNodes(document).map((offset) => at(offset, '', 'anchors, aliases and tags are not read: write the value out'));
  if (shared.length > 0) return refused(shared);
  const checked = checkedRegister(document.toJS(), options.allowWeak === true);
  return checked.ok ? checked : refused(checked.problems.map(({ path, reason, kind }) => at(offsetOf(document, path), path, reason, kind)));
};

const refused = (problems: readonly RegisterFileProblem[]): RegisterFileResult => ({
  ok: false,
  problems: problems.slice(0, PROBLEMS_MAX),
});

type Checked =
  { readonly ok: true; readonly register: RegisterDocument } | { readonly ok: false; readonly problems: readonly DocumentProblem[] };

/** Fills in the defaults: `value` is changed. */
const checkedRegister = (value: unknown, allowWeak: boolean): Checked => {
  const problems = schemaProblems(value);
  if (problems.length > 0) return { ok: false, problems };
  const register = writtenOut(value);
  const contradictions = connectProblems(register);
  if (contradictions.length > 0) return { ok: false, problems: contradictions };
  const refusals = [...coreProblems(register), ...contractRefusals(register)].filter(({ kind }) => !allowWeak || kind !== 'never-supports');
  return refusals.length === 0 ? { ok: true, register } : { ok: false, problems: refusals };
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

const sharedNodes = (document: Document): number[] => {
  const offsets: number[] = [];
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node) || node.anchor !== undefined || node.tag?.startsWith('!')) offsets.push(node.range?.[0] ?? 0);
    },
  });
  return offsets;
};

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Start of the node, of its key where it stands in a map, or of the nearest node around it that exists. */
const offsetOf = (document: Document, path: string): number => {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const part of path.split('/').slice(1).map(unescaped)) {
    const pair: Pair<unknown, unknown> | undefined = isMap(node) ? node.items.find((item) => keyText(item.key) === part) : undefined;
    node = pair
      ? pair.value
      : isNode(node) && 'get' in node
        ? (node as Node & { get(key: number, keep: true): unknown }).get(Number(part), true)
        : undefined;
    const place = pair && isNode(pair.key) ? pair.key.range : isNode(node) ? node.range : undefined;
    if (!place) break;
    offset = place[0];
  }
  return offset;
};

const keyText = (key: unknown): string => (isNode(key) && 'value' in key ? String(key.value) : String(key));
