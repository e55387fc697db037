import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { DocumentProblem } from './connect-problems.js';
import { contractSchema } from './schema/contract-schema.js';
import { registerSchema } from './schema/register-schema.js';

const options = { allErrors: true, allowUnionTypes: true, strictRequired: false, strictTypes: false };
const validate = new Ajv2020({ ...options, useDefaults: true }).compile(registerSchema);
const validateLayer = new Ajv2020(options).compile(contractSchema);

/** Keywords that repeat what the ones within them say. */
const SILENT = ['if', 'propertyNames'];

/** Problems by the published schema. Fills in its defaults: `value` is changed. */
export const schemaProblems = (value: unknown): readonly DocumentProblem[] => {
  return validate(value) ? [] : problemsOf(validate.errors);
};

/** Problems of one layer by itself. Its defaults are set once all layers are merged. */
export const layerProblems = (value: unknown): readonly DocumentProblem[] => (validateLayer(value) ? [] : problemsOf(validateLayer.errors));

/** `document`: what the fields belong to. */
export const problemsOf = (errors: readonly ErrorObject[] | null | undefined, document = 'a register'): readonly DocumentProblem[] => {
  const problems = (errors ?? []).filter(({ keyword }) => !SILENT.includes(keyword)).map((error) => problemOf(error, document));
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.reason}`, problem])).values()];
};

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const problemOf = ({ instancePath, keyword, params, message, propertyName }: ErrorObject, document: string): DocumentProblem => {
  const named = params as Readonly<Record<string, unknown>>;
  if (propertyName !== undefined)
    return { path: `${instancePath}/${escaped(propertyName)}`, reason: `is no name that may stand here: ${message}` };
  switch (keyword) {
    case 'additionalProperties':
      return { path: `${instancePath}/${escaped(String(named['additionalProperty']))}`, reason: `is no field of ${document}` };
    case 'required':
      return { path: instancePath, reason: `lacks ${String(named['missingProperty'])}` };
    case 'enum':
      return { path: instancePath, reason: `must be one of ${(named['allowedValues'] as unknown[]).join(', ')}` };
    case 'const':
      return { path: instancePath, reason: `must be ${String(named['allowedValue'])}` };
    case 'anyOf':
    case 'not':
      return { path: instancePath, reason: instancePath.endsWith('/name') ? 'is taken' : 'names exactly one of query, header, body' };
    case 'maxProperties':
      return { path: instancePath, reason: 'has more fields than may stand together' };
    default:
      return { path: instancePath, reason: message ?? keyword };
  }
};
