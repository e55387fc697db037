/** The slots, for search-runner: the implicit deciding source `own-writes`. */
import { Body, Controller, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import type { Database } from '@lacuna/messaging';
import { DATABASE, ServiceTokenGuard } from '@lacuna/runtime';
import { slotKey, slotsByKey } from '../write/slot-store.js';
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
  async lookUp(@Body(LookupBody) { tenantId, target, keyDigests }: OwnWritesLookup): Promise<OwnWritesAnswer> {
    const keys = keyDigests.map((keyDigest) => ({ target, keyDigest }));
    const found = await this.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
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
