/** The body of a lookup of slots, checked: a key that is misread would be answered as free. */
import { Injectable, type PipeTransform } from '@nestjs/common';
import { Name, Sha256, TenantId } from '@lacuna/events';
import { problem } from '@lacuna/runtime';
import { plainToInstance } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches, validateSync } from 'class-validator';

export const KEYS_MAX = 500;

export class OwnWritesLookup {
  @TenantId() tenantId: string;
  @Name() target: string;
  /** SHA-256 of the canonical JSON of the asker's key policy: digests of another policy say nothing about this target's slots. */
  @Sha256() keyPolicy: string;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(KEYS_MAX) @Matches(/^[0-9a-f]{64}$/, { each: true }) keyDigests: string[];
}

@Injectable()
export class LookupBody implements PipeTransform {
  /** @throws 422 with a pointer to each member that is wrong. */
  transform(body: unknown): OwnWritesLookup {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw invalid([{ pointer: '', detail: 'the body must be a JSON object, sent as application/json' }]);
    const lookup = plainToInstance(OwnWritesLookup, body);
    const problems = validateSync(lookup, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true });
    if (problems.length === 0) return lookup;
    throw invalid(
      problems.flatMap(({ property, constraints }) =>
        Object.values(constraints ?? {}).map((detail) => ({ pointer: `/${property}`, detail })),
      ),
    );
  }
}

const invalid = (errors: readonly { readonly pointer: string; readonly detail: string }[]) =>
  problem(422, 'invalid-request', 'The request is not valid', errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '), {
    errors,
  });
