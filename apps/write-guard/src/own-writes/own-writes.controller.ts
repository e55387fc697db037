/** The slots, for search-runner: the implicit deciding source `own-writes`. */
import { Body, Controller, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { Name, Sha256, TenantId } from '@lacuna/events';
import type { Database } from '@lacuna/messaging';
import { DATABASE, ServiceTokenGuard } from '@lacuna/runtime';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches } from 'class-validator';
import { slotKey, slotsByKey } from '../write/slot-store.js';

const KEYS_MAX = 500;

export class OwnWritesLookup {
  @TenantId() tenantId: string;
  @Name() target: string;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(KEYS_MAX) @Matches(/^[0-9a-f]{64}$/, { each: true }) keyDigests: string[];
}

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
  async lookUp(@Body() lookup: OwnWritesLookup): Promise<OwnWritesAnswer> {
    const keys = lookup.keyDigests.map((keyDigest) => ({ target: lookup.target, keyDigest }));
    const found = await this.database.transaction(async (tx) => {
      await tx.actFor(lookup.tenantId);
      return slotsByKey(tx, lookup.tenantId, keys);
    });
    return {
      slots: keys.map((key) => {
        const slot = found.get(slotKey(key));
        return { keyDigest: key.keyDigest, state: slot?.state ?? 'free', recordId: slot?.recordId ?? null, status: slot?.status ?? null };
      }),
    };
  }
}
