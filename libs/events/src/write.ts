import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Id, Name, Reason, Sha256, TenantId, Text, Timestamp } from './fields.js';

/** A write waits for a person's decision (policies manual and four-eyes). Produced by write-guard. */
export class AuthorisationRequested {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Id() authorisationId: string;
  @IsIn(['auto', 'manual', 'four-eyes']) policy: 'auto' | 'manual' | 'four-eyes';
  @Name() target: string;
  @Sha256() keyDigest: string;
  @Sha256() payloadHash: string;
  @Timestamp() expiresAt: string;
  @Timestamp() at: string;
}

/** A one-use permit was made in the write's own transaction. Produced by write-guard. */
export class PermitGranted {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @Id() permitId: string;
  @Id() authorisationId: string;
  @Sha256() receiptHash: string;
  /** Of an attempt by exception. */
  @IsOptional() @Id() exceptionId?: string;
  @Timestamp() at: string;
}

/** No permit: `reason` says why. Produced by write-guard. */
export class PermitRefused {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @Reason() reason: string;
  /** Of an attempt by exception. */
  @IsOptional() @Id() exceptionId?: string;
  @Timestamp() at: string;
}

/** The one answer of a write attempt (invariant W4). Produced by write-guard. */
export class WriteSettled {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @IsIn(['created', 'exists', 'refused', 'unknown']) answer: 'created' | 'exists' | 'refused' | 'unknown';
  @Name() target: string;
  @Sha256() keyDigest: string;
  @IsOptional() @Text(512) recordId: string | null;
  @IsOptional() @Reason() reason: string | null;
  @IsOptional() @Id() permitId: string | null;
  /** Of an attempt by exception. */
  @IsOptional() @Id() exceptionId?: string;
  @Timestamp() at: string;
}
