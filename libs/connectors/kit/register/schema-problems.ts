import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { DocumentProblem } from './connect-problems.js';
import { registerSchema } from './schema/register-schema.js';

const validate = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
}).compile(registerSchema);

/** Problems by the published schema. Fills in its defaults: `value` is changed. */
export const schemaProblems = (value: unknown): readonly DocumentProblem[] => {
  if (validate(value)) return [];
  const problems = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames').map(problemOf);
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.reason}`, problem])).values()];
};

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const problemOf = ({ instancePath, keyword, params, message, propertyName }: ErrorObject): DocumentProblem => {
  const named = params as Readonly<Record<string, unknown>>;
  if (propertyName !== undefined)
    return { path: `${instancePath}/${escaped(propertyName)}`, reason: `is no name that may stand here: ${message}` };
  switch (keyword) {
    case 'additionalProperties':
      return { path: `${instancePath}/${escaped(String(named['additionalProperty']))}`, reason: 'is no field of a register' };
    case 'required':
      return { path: instancePath, reason: `lacks ${String(named['missingProperty'])}` };
    case 'enum':
      return { path: instancePath, reason: `must be one of ${(named['allowedValues'] as unknown[]).join(', ')}` };
    case 'const':
      return { path: instancePath, reason: `must be ${String(named['allowedValue'])}` };
    case 'not':
      return { path: instancePath, reason: 'is taken' };
    default:
      return { path: instancePath, reason: message ?? keyword };
  }
};
