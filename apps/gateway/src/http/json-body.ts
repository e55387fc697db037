import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { FieldProblem } from './field-problem.js';
import { forbiddenTextIn } from './forbidden-text.js';
import { invalidFields } from './problems.js';

/** Checks a JSON body against its class; unknown members are refused, since a misspelt one would silently change the question. */
@Injectable()
export class JsonBody implements PipeTransform {
  transform(body: unknown, { metatype }: ArgumentMetadata): object {
    if (!metatype) throw new Error('a body has a class');
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw invalidFields([{ pointer: '', detail: 'the body must be a JSON object' }]);
    }
    const text = forbiddenTextIn(body);
    if (text) throw invalidFields([text]);
    const instance = plainToInstance(metatype as new () => object, body);
    const problems = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true });
    if (problems.length > 0) throw invalidFields(problems.flatMap((error) => fieldProblems(error, '')));
    return instance;
  }
}

function fieldProblems(error: ValidationError, parent: string): FieldProblem[] {
  const pointer = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const own = ownDetails(error).map((detail) => ({ pointer, detail }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldProblems(child, pointer))];
}

/** Of a member that is not there, every rule is broken at once: one sentence says it. */
function ownDetails({ constraints, property, value }: ValidationError): string[] {
  if (constraints && value === undefined) return [`${property} is missing`];
  return Object.values(constraints ?? {});
}
