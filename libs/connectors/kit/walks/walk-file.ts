/** A walk file, from YAML text to a walk, or to what is wrong with it and where. */
import { isReasonCode, type Verdict } from '@lacuna/evidence';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expandPresets } from '../register/layers/expand-presets.js';
import { isObject, type Json, type JsonObject } from '../register/layers/merge-rules.js';
import { presetText } from '../register/layers/preset-files.js';
import { parsedRegister, type RegisterFileProblem } from '../register/parse-register-file.js';
import type { DocumentProblem } from '../register/connect-problems.js';
import type { RegisterDocument } from '../register/register-document.js';
import { problemsOf } from '../register/schema-problems.js';
import { yamlValue } from '../register/yaml-value.js';
import { withWalkDefaults } from './walk-defaults.js';
import { walkSchema } from './walk-schema.js';

/** A request, as far as it is described. */
export interface RequestPattern {
  readonly method?: string;
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly source?: string;
}

/** One scripted answer. */
export interface WalkResponse {
  readonly when?: RequestPattern;
  readonly times?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json;
  readonly text?: string;
  readonly base64?: string;
  readonly delayMs?: number;
  readonly close?: 'before-headers' | 'in-body' | 'after-body';
}

export interface Expectation {
  readonly verdict: Verdict;
  readonly reasons?: readonly string[];
  readonly reasonsExactly?: readonly string[];
  readonly not?: readonly string[];
  readonly requests?: number | readonly RequestPattern[];
  readonly refused: boolean;
  readonly unscripted: boolean;
  readonly count?: number | null;
}

export interface Walk {
  readonly name: string;
  readonly about?: string;
  readonly case?: string;
  readonly twin: boolean;
  readonly register: RegisterDocument;
  /** It would be refused when loaded: no answer could make it support a no-match. */
  readonly refused: boolean;
  readonly question: {
    readonly kind: 'exists' | 'gone' | 'enumerate';
    readonly identifiers: Readonly<Record<string, string>>;
    readonly needsAsOfMs?: number;
  };
  readonly clock: { readonly startAt?: string };
  /** By source. */
  readonly responses: Readonly<Record<string, readonly WalkResponse[]>>;
  readonly expect: Expectation;
}

export type WalkFileResult =
  { readonly ok: true; readonly walk: Walk } | { readonly ok: false; readonly problems: readonly RegisterFileProblem[] };

type WalkDocument = Omit<Walk, 'register' | 'refused' | 'responses'> & {
  readonly register: JsonObject;
  readonly responses: readonly WalkResponse[] | Walk['responses'];
};

const options = { allErrors: true, allowUnionTypes: true, strictRequired: false, strictTypes: false, useDefaults: true };
const validate = new Ajv2020(options).compile<WalkDocument>(walkSchema);

/** `file` is the name that problems carry. */
export const parseWalkFile = (text: string, file: string): WalkFileResult => {
  const read = yamlValue(text);
  const refused = (problems: readonly DocumentProblem[]): WalkFileResult => ({
    ok: false,
    problems: problems.map(({ path, reason }) => ({
      file,
      ...(read.ok ? read.placeOf(path) : { line: 1, column: 1 }),
      path,
      reason,
      kind: 'invalid',
    })),
  });
  if (!read.ok) return { ok: false, problems: read.problems.map((problem) => ({ file, path: '', kind: 'invalid', ...problem })) };
  const document = read.value;
  if (!validate(document)) return refused(problemsOf(validate.errors, 'a walk file'));
  const own = ownProblems(document);
  if (own.length > 0) return refused(own);
  const { register, ...rest } = document;
  const filled = withWalkDefaults(register, document.question.identifiers, (source) => expandPresets(source, presetText).source);
  const strict = parsedRegister(structuredClone(filled), {});
  const parsed = strict.ok ? strict : parsedRegister(filled, { allowWeak: true });
  if (!parsed.ok) return refused(parsed.problems.map((each) => ({ ...each, path: `/register${each.path}` })));
  const sources = parsed.register.sources.map(({ name }) => name);
  const unknown = Array.isArray(rest.responses) ? [] : Object.keys(rest.responses).filter((name) => !sources.includes(name));
  if (unknown.length > 0) return refused(unknown.map((name) => ({ path: `/responses/${name}`, reason: 'is no source of the register' })));
  const responses = Array.isArray(rest.responses)
    ? { [sources[0] ?? '']: rest.responses as readonly WalkResponse[] }
    : (rest.responses as Walk['responses']);
  return { ok: true, walk: { ...rest, register: parsed.register, refused: !strict.ok, responses } };
};

const ownProblems = ({ responses, expect }: WalkDocument): readonly DocumentProblem[] => [
  ...(Array.isArray(responses)
    ? responseProblems(responses as readonly WalkResponse[], '/responses')
    : Object.entries(responses as Walk['responses']).flatMap(([name, each]) => responseProblems(each, `/responses/${name}`))),
  ...(['reasons', 'reasonsExactly', 'not'] as const).flatMap((field) =>
    (expect[field] ?? []).flatMap((code, at) =>
      isReasonCode(code) ? [] : [{ path: `/expect/${field}/${at}`, reason: `${code} is no reason of the catalogue` }],
    ),
  ),
];

const responseProblems = (responses: readonly WalkResponse[], path: string): readonly DocumentProblem[] =>
  responses.flatMap((response, at) => [
    ...(['json', 'text', 'base64'].filter((name) => name in response).length > 1
      ? [{ path: `${path}/${at}`, reason: 'has more than one of json, text and base64' }]
      : []),
    ...inexact(response.json, `${path}/${at}/json`),
  ]);

/** YAML’s own numbers are doubles: what is written here would not be what is sent. */
const inexact = (value: Json | undefined, path: string): readonly DocumentProblem[] => {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return [{ path, reason: 'is beyond 2^53 - 1 and would be rounded: write the body as text' }];
  if (Array.isArray(value)) return value.flatMap((each: Json, at) => inexact(each, `${path}/${at}`));
  return isObject(value) ? Object.entries(value).flatMap(([name, each]) => inexact(each, `${path}/${name}`)) : [];
};
