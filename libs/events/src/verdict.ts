import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBase64,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { Count, Id, Name, Reason, Sha256, TenantId, Text, Timestamp } from './fields.js';
import { PAGE_ROWS_MAX, REASONS_MAX, SOURCES_MAX } from './search.js';

export const RECEIPT_ENVELOPE_CHARACTERS_MAX = 900_000;

export class VerdictReason {
  @Reason() code: string;
  @IsOptional() @Name() source: string | null;
}

/** A record named by the verdict. `version` and `digest` are what a reviewer's "different" excludes. */
export class NamedRecord {
  @Name() source: string;
  @Text(512) recordId: string;
  @IsOptional() @Text(512) version: string | null;
  @Sha256() digest: string;
  @IsOptional() @Text(200) status: string | null;
}

/** Boundary of one source: the moment up to which it was seen; null when it was not. */
export class SourceBoundary {
  @Name() source: string;
  @IsOptional() @Timestamp() boundary: string | null;
}

/** A generation's verdict. Natural key: (question, generation). Produced by verdict. */
export class VerdictReached {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @Name() registerName: string;
  @Sha256() registerHash: string;
  @IsIn(['match-review', 'scoped-no-match', 'evidence-hold']) verdict: 'match-review' | 'scoped-no-match' | 'evidence-hold';
  @IsArray() @ArrayMaxSize(REASONS_MAX * SOURCES_MAX) @ValidateNested({ each: true }) @Type(() => VerdictReason) reasons: VerdictReason[];
  @IsArray() @ArrayMaxSize(PAGE_ROWS_MAX) @ValidateNested({ each: true }) @Type(() => NamedRecord) matches: NamedRecord[];
  @IsArray() @ArrayMaxSize(PAGE_ROWS_MAX) @ValidateNested({ each: true }) @Type(() => NamedRecord) candidates: NamedRecord[];
  @IsArray() @ArrayMaxSize(PAGE_ROWS_MAX) @ValidateNested({ each: true }) @Type(() => NamedRecord) reusable: NamedRecord[];
  @IsArray() @ArrayMaxSize(SOURCES_MAX) @ValidateNested({ each: true }) @Type(() => SourceBoundary) boundaries: SourceBoundary[];
  @IsOptional() @Timestamp() asOf: string | null;
  @Timestamp() needsAsOf: string;
  @Timestamp() decidedAt: string;
  @IsBoolean() partial: boolean;
  @IsIn(['complete', 'timed_out', 'range_too_wide', 'recent_unavailable', 'field_unavailable']) coverage: string;
  @IsBoolean() fromClamped: boolean;
  /** Every reason heals by waiting: notifier may ask for a rerun by itself. */
  @IsBoolean() healsByWaiting: boolean;
  /** Complete `enumerate` reads only; null otherwise. */
  @IsOptional() @Count() count: number | null;
  @Text(200) owner: string;
  @IsString() @MaxLength(16_384) statement: string;
  @Id() receiptId: string;
  @Sha256() receiptHash: string;
}

/** A receipt joined its tenant's log. `envelope` is base64 of the DSSE envelope's exact bytes, which are the leaf. Produced by verdict. */
export class ReceiptAppended {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @Id() receiptId: string;
  @Sha256() receiptHash: string;
  /** From 0, without gaps, per tenant: the order of the log. */
  @Count() leafIndex: number;
  @IsBase64() @MaxLength(RECEIPT_ENVELOPE_CHARACTERS_MAX) envelope: string;
  @Timestamp() at: string;
}

/** A signed tree head of a tenant's receipt log (C2SP tlog-checkpoint text). Produced by verdict. */
export class CheckpointSigned {
  @TenantId() tenantId: string;
  @Count() treeSize: number;
  @Text(4_096) checkpoint: string;
  @Timestamp() at: string;
}
