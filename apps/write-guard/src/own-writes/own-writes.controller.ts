/** The slots, for search-runner: the implicit deciding source `own-writes`. */
import { Body, Controller, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import type { Database } from '@lacuna/messaging';
import { sha256Hex } from '@lacuna/receipts';
import { DATABASE, problem, ServiceTokenGuard } from '@lacuna/runtime';
import { keyPolicies, slotKey, slotsByKey } from '../write/slot-store.js';
import { LookupBody, OwnWritesLookup } from './own-writes-lookup.js';

/** `free`: nobody has written this key through write-guard. */
export interface OwnWritesAnswer {
  readonly slots: readonly {
    readonly keyDigest: string;
    readonly state: 'free' | 'settled' | 'in-flight' | 'unknown';
    readonly recordId: string | null;
    readonly status: string | null;
  }[];
}

@Controller('internal/own-writes')
@UseGuards(ServiceTokenGuard)
export class OwnWritesController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Post()
  @HttpCode(200)
  async lookUp(@Body(LookupBody) { tenantId, target, keyPolicy, keyDigests }: OwnWritesLookup): Promise<OwnWritesAnswer> {
    const keys = keyDigests.map((keyDigest) => ({ target, keyDigest }));
    const found = await this.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      const bound = (await keyPolicies(tx, tenantId, [target])).get(target);
      if (bound !== undefined && sha256Hex(bound) !== keyPolicy) throw policyDiffers(target);
      return slotsByKey(tx, tenantId, keys);
    });
    return {
      slots: keys.map((key) => {
        const slot = found.get(slotKey(key));
        return { keyDigest: key.keyDigest, state: slot?.state ?? 'free', recordId: slot?.recordId ?? null, status: slot?.status ?? null };
      }),
    };
  }
}

const policyDiffers = (target: string) =>
  problem(
    409,
    'key-policy-differs',
    'The key policy differs',
    `The slots of ${target} are kept under another key policy than the question's register has.`,
  );
