/** YAML text to plain data, and from a JSON Pointer back to the line: no anchors, aliases or tags, which could hide or multiply what is read. */
import { LineCounter, isAlias, isMap, isNode, parseDocument, visit, type Document, type Node, type Pair } from 'yaml';

const FILE_UNITS_MAX = 1_048_576;

export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

export interface YamlProblem extends YamlPlace {
  readonly reason: string;
}

export type YamlValue =
  | { readonly ok: true; readonly value: unknown; readonly placeOf: (path: string) => YamlPlace }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

export const yamlValue = (text: string): YamlValue => {
  const lines = new LineCounter();
  const at = (offset: number): YamlPlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (text.length > FILE_UNITS_MAX) return refused([{ line: 1, column: 1, reason: `longer than ${FILE_UNITS_MAX} characters` }]);
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, stringKeys: true, prettyErrors: false });
  const syntax = [...document.errors, ...document.warnings].map(({ pos, message }) => ({ ...at(pos[0]), reason: message }));
  if (syntax.length > 0) return refused(syntax);
  const shared = sharedNodes(document).map((offset) => ({
    ...at(offset),
    reason: 'anchors, aliases and tags are not read: write the value out',
  }));
  if (shared.length > 0) return refused(shared);
  return { ok: true, value: document.toJS(), placeOf: (path) => at(offsetOf(document, path)) };
};

const refused = (problems: readonly YamlProblem[]): YamlValue => ({ ok: false, problems });

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
