import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { Count, Id, Name, Reason, Sha256, TenantId, Text, Timestamp } from './fields.js';

export const IDENTIFIERS_MAX = 32;
export const IDENTIFIER_VALUE_CHARACTERS_MAX = 512;
export const EXCLUSIONS_MAX = 1_000;

/** One identifier of a question, with where its value came from. */
export class Identifier {
  @Name() name: string;
  @Text(IDENTIFIER_VALUE_CHARACTERS_MAX) value: string;
  @IsIn(['person', 'system', 'model']) provenance: 'person' | 'system' | 'model';
}

/** How much one generation may read. */
export class ReadBudget {
  @Count(1_000_000) pagesMax: number;
  @Count(1_000_000_000) recordsMax: number;
  @Count() bytesMax: number;
  @Count(86_400_000) elapsedMsMax: number;
}

/** What the asker wants to do next. `payload` is a JSON object of at most 64 KiB, hashed as RFC 8785 canonical JSON. */
export class Intent {
  @IsIn(['none', 'create', 'link', 'close', 'delete']) kind: 'none' | 'create' | 'link' | 'close' | 'delete';
  @IsOptional() @IsObject() payload: Record<string, unknown> | null;
  @IsOptional() @Sha256() payloadHash: string | null;
}

/** A question was accepted: it will get a verdict for its first generation. Produced by gateway. */
export class QuestionAsked {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Name() registerName: string;
  @Sha256() registerHash: string;
  @IsIn(['exists', 'gone', 'enumerate']) kind: 'exists' | 'gone' | 'enumerate';
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(IDENTIFIERS_MAX)
  @ValidateNested({ each: true })
  @Type(() => Identifier)
  identifiers: Identifier[];
  @Text(200) principal: string;
  @ValidateNested() @Type(() => ReadBudget) budget: ReadBudget;
  @ValidateNested() @Type(() => Intent) intent: Intent;
  @Timestamp() askedAt: string;
  @Timestamp() needsAsOf: string;
}

/** A record that a reviewer called different, at the version (or digest of the compared fields) that was reviewed. */
export class ExcludedRecord {
  @Name() source: string;
  @Text(512) recordId: string;
  @IsOptional() @Text(512) version: string | null;
  @Sha256() digest: string;
}

/** The question is to be asked once more: its next generation. `causeId` is the natural key. Produced by gateway, write-guard, notifier. */
export class QuestionRerun {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Id() causeId: string;
  @Reason() cause: string;
  @IsArray() @ArrayMaxSize(EXCLUSIONS_MAX) @ValidateNested({ each: true }) @Type(() => ExcludedRecord) exclusions: ExcludedRecord[];
  @IsOptional() @Timestamp() needsAsOf: string | null;
  @Timestamp() at: string;
}
