import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { Id, Name, Reason, Sha256, TenantId, Text, Timestamp } from './fields.js';
import { NamedRecord } from './verdict.js';
import { REASONS_MAX, SOURCES_MAX } from './search.js';
import { VerdictReason } from './verdict.js';

/** A hold, a match or a stalled delivery needs a person. Produced by notifier. */
export class CaseOpened {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @Id() caseId: string;
  @IsIn(['match-review', 'evidence-hold', 'delivery-stalled']) subject: 'match-review' | 'evidence-hold' | 'delivery-stalled';
  @Name() registerName: string;
  @Text(200) owner: string;
  @IsArray() @ArrayMaxSize(REASONS_MAX * SOURCES_MAX) @ValidateNested({ each: true }) @Type(() => VerdictReason) reasons: VerdictReason[];
  @IsArray() @ArrayMaxSize(1_000) @ValidateNested({ each: true }) @Type(() => NamedRecord) records: NamedRecord[];
  @IsOptional() @Id() receiptId: string | null;
  @Text(16_384) statement: string;
  @Timestamp() openedAt: string;
}

/** The case is over. Produced by notifier. */
export class CaseClosed {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Id() caseId: string;
  @Reason() outcome: string;
  @Timestamp() at: string;
}

/** A person's decision on a case. Produced by gateway. */
export class ReviewDecided {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Id() caseId: string;
  @Id() decisionId: string;
  @IsIn(['rerun', 'same', 'different']) decision: 'rerun' | 'same' | 'different';
  @IsArray() @ArrayMaxSize(1_000) @ValidateNested({ each: true }) @Type(() => NamedRecord) records: NamedRecord[];
  @Text(200) principal: string;
  @IsOptional() @Text(2_000) note: string | null;
  @Timestamp() at: string;
}

/**
 * A person with the role accepts the risk of one hold: an authorisation for one receipt and one payload, used once. It stands beside the
 * verdict and changes nothing of it. Produced by gateway.
 */
export class ExceptionGranted {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @Id() exceptionId: string;
  @Sha256() receiptHash: string;
  @Sha256() payloadHash: string;
  @Text(200) principal: string;
  @Text(2_000) reason: string;
  @Timestamp() expiresAt: string;
  @Timestamp() at: string;
}

/** A person's decision on an authorisation. Produced by gateway. */
export class AuthorisationDecided {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Id() authorisationId: string;
  @IsIn(['approved', 'declined']) decision: 'approved' | 'declined';
  @Text(200) principal: string;
  @Sha256() payloadHash: string;
  @IsOptional() @Text(2_000) note: string | null;
  @Timestamp() at: string;
}
