import { IsBoolean, IsIn, IsObject, IsOptional } from 'class-validator';
import { Name, Sha256, TenantId, Text, Timestamp } from './fields.js';

/** A register version was loaded. `register` is the parsed file, already checked against the register's JSON Schema. Produced by gateway. */
export class RegisterPublished {
  @TenantId() tenantId: string;
  @Name() registerName: string;
  @Text(63) version: string;
  /** SHA-256 of the canonical JSON of `register`. */
  @Sha256() registerHash: string;
  @IsObject() register: Record<string, unknown>;
  @Timestamp() at: string;
}

/** A source has a window whose records may not have arrived. Produced by search-runner. */
export class IngestionGapFound {
  @TenantId() tenantId: string;
  @Name() registerName: string;
  @Name() source: string;
  @Timestamp() from: string;
  @IsOptional() @Timestamp() to: string | null;
  @IsIn(['declared', 'observed']) origin: 'declared' | 'observed';
  @Timestamp() at: string;
}

/** The gap is closed. Produced by search-runner. */
export class IngestionGapClosed {
  @TenantId() tenantId: string;
  @Name() registerName: string;
  @Name() source: string;
  @Timestamp() from: string;
  @IsBoolean() backfilled: boolean;
  @Timestamp() at: string;
}
