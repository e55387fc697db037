/**
 * Layers of a source, from its presets up to itself, merged into one before anything else is checked. A layer's own mistakes are named with
 * the layer; what only the whole can show is named with the layer that states it (`layerStating`).
 */
import type { DocumentProblem } from '../connect-problems.js';
import { layerProblems } from '../schema-problems.js';
import { PRESETS_MAX } from '../schema/source-schema.js';
import { yamlValue } from '../yaml-value.js';
import { isObject, type Json, type JsonObject, type MergeProblem } from './merge-rules.js';
import { mergeSource } from './merge-table.js';
import type { PresetTexts } from './preset-files.js';
import { withWeakerParameters } from './weaker-parameters.js';

const DEPTH_MAX = 8;
const LAYERS_MAX = 64;

/** `name`: of a preset, or where an inline layer stands; null: the source itself. */
export interface Layer {
  readonly name: string | null;
  readonly fields: JsonObject;
}

export interface Expanded {
  readonly source: Json;
  readonly layers: readonly Layer[];
  /** Paths below the source. */
  readonly problems: readonly DocumentProblem[];
}

interface Collected {
  readonly layers: Layer[];
  readonly problems: DocumentProblem[];
  readonly texts: PresetTexts;
}

/** Source without its presets written in; a value that is no source is left for the schema to refuse. */
export const expandPresets = (source: Json, texts: PresetTexts): Expanded => {
  if (!isObject(source)) return { source, layers: [], problems: [] };
  const collected: Collected = { layers: [], problems: [], texts };
  collect(source['presets'], '', [], collected);
  const { layers, problems } = collected;
  if (problems.length > 0) return { source, layers, problems };
  const all = [...layers, { name: null, fields: httpByDefault(source) }];
  const { fields, problems: conflicts } = mergedLayers(all);
  return { source: fields, layers: all, problems: conflicts };
};

/** Every layer over those before it. */
export const mergedLayers = (layers: readonly Layer[]): { readonly fields: JsonObject; readonly problems: readonly MergeProblem[] } => {
  const problems: MergeProblem[] = [];
  const fields = layers.reduce<Json>((lower, { fields: upper }) => mergeSource(lower, upper, { path: '', problems }), {});
  const written = layers.map((layer) => layer.fields);
  return { fields: withWeakerParameters(fields as JsonObject, written), problems };
};

/** `within`: names of the presets around it. */
const collect = (presets: Json | undefined, path: string, within: readonly string[], collected: Collected): void => {
  if (!Array.isArray(presets)) return;
  if (presets.length > PRESETS_MAX || within.length >= DEPTH_MAX || collected.layers.length + presets.length > LAYERS_MAX) {
    collected.problems.push({ path: `${path}/presets`, reason: `more than ${PRESETS_MAX} presets, or presets of presets too deep` });
    return;
  }
  (presets as readonly Json[]).forEach((preset, at) => {
    const place = path === '' ? `/presets/${at}` : path;
    if (typeof preset === 'string') collectPreset(preset, place, within, collected);
    else if (isObject(preset)) collectLayer(preset, { place, name: `layer ${at + 1} of presets`, within }, collected);
    else collected.problems.push({ path: place, reason: 'is neither a preset’s name nor a contract' });
  });
};

const collectPreset = (name: string, place: string, within: readonly string[], collected: Collected): void => {
  if (within.includes(name)) {
    collected.problems.push({ path: place, reason: `preset ${name} is layered on itself: ${[...within, name].join(' > ')}` });
    return;
  }
  const text = collected.texts(name);
  if (text === null) {
    collected.problems.push({ path: place, reason: `there is no preset ${name}: \`lacuna contract list\` prints their names` });
    return;
  }
  const read = yamlValue(text);
  if (!read.ok || !isObject(read.value as Json)) {
    const why = read.ok ? 'is no contract' : (read.problems[0]?.reason ?? 'is no YAML');
    collected.problems.push({ path: place, reason: `preset ${name}: ${why}` });
    return;
  }
  collectLayer(read.value as JsonObject, { place, name, within: [...within, name] }, collected);
};

const collectLayer = (
  written: JsonObject,
  { place, name, within }: { readonly place: string; readonly name: string; readonly within: readonly string[] },
  collected: Collected,
): void => {
  const layer = httpByDefault(written);
  const problems = layerProblems(layer);
  collected.problems.push(...problems.map(({ path, reason }) => ({ path: place, reason: `preset ${name}: ${path} ${reason}` })));
  if (problems.length > 0) return;
  collect(layer['presets'], place, within, collected);
  const { name: _name, about: _about, presets: _presets, ...fields } = layer;
  collected.layers.push({ name, fields });
};

/** A contract is of HTTP where it does not say otherwise. */
export const httpByDefault = (fields: JsonObject): JsonObject => {
  const connect = fields['connect'];
  return isObject(connect) && connect['type'] === undefined ? { ...fields, connect: { type: 'http', ...connect } } : fields;
};

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

const states = (fields: Json | undefined, parts: readonly string[]): boolean => {
  const [first, ...rest] = parts;
  if (first === undefined) return fields !== undefined;
  if (Array.isArray(fields)) return states((fields as readonly Json[])[Number(first)], rest);
  return isObject(fields) && Object.hasOwn(fields, first) && states(fields[first], rest);
};

/** Name of the preset that states what stands at that path of the merged source; null: the source itself, or no layer. */
export const layerStating = (path: string, { layers }: Expanded): string | null => {
  const parts = path.split('/').slice(1).map(unescaped);
  return [...layers].reverse().find(({ fields }) => states(fields, parts))?.name ?? null;
};
