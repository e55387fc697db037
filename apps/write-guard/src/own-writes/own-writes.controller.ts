/** The slots, for search-runner: the implicit deciding source `own-writes`. */
import { Body, Controller, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import type { Database } from '@lacuna/messaging';
import { OUTCOME_UNKNOWN } from '@lacuna/evidence';
import { sha256Hex } from '@lacuna/receipts';
import { DATABASE, problem, ServiceTokenGuard } from '@lacuna/runtime';
import { keyPolicies } from '../write/key-policy-store.js';
import { slotKey, slotsByKey, type SlotState } from '../write/slot-store.js';
import { LookupBody, OwnWritesLookup } from './own-writes-lookup.js';

/** `free`: nobody has written this key through write-guard. */
export interface OwnWritesAnswer {
  readonly slots: readonly {
    readonly keyDigest: string;
    readonly state: SlotState['state'];
    readonly recordId: string | null;
    readonly status: string | null;
    readonly clearAt: string | null;
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
      slots: keys.map(({ keyDigest }) => ({ keyDigest, ...answerOf(found.get(slotKey({ target, keyDigest }))) })),
    };
  }
}

function answerOf(slot: SlotState | undefined): Omit<OwnWritesAnswer['slots'][number], 'keyDigest'> {
  if (!slot || slot.state === 'free') return { state: 'free', recordId: null, status: null, clearAt: null };
  const { state, recordId, clearAt } = slot;
  return { state, recordId, status: state === 'unknown' ? OUTCOME_UNKNOWN : slot.status, clearAt: clearAt?.toISOString() ?? null };
}

const policyDiffers = (target: string) =>
  problem(
    409,
    'key-policy-differs',
    'The key policy differs',
    `The slots of ${target} are kept under another key policy than the question's register has.`,
  );
