import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsObject, IsOptional, Matches, Max, Min, ValidateNested } from 'class-validator';
import { Count, Id, Name, Reason, Sha256, TenantId, Text, Timestamp } from './fields.js';
import { EXCLUSIONS_MAX, ExcludedRecord, Identifier, IDENTIFIERS_MAX, ReadBudget } from './question.js';

export const SOURCES_MAX = 64;
export const PAGE_ROWS_MAX = 1_000;
export const REASONS_MAX = 64;
/** A page read above this is cut and carries `truncated`. Bytes of the JSON value. */
export const PAGE_READ_BYTES_MAX = 262_144;

/** An identifier with the result of its register's lookup; null: none declared. */
export class SearchedIdentifier extends Identifier {
  @IsOptional() @IsIn(['found', 'not-found', 'unavailable']) lookup: 'found' | 'not-found' | 'unavailable' | null;
}

export class KnownGap {
  @Name() source: string;
  @Timestamp() from: string;
  @IsOptional() @Timestamp() to: string | null;
}

export class ControlResult {
  @Name() source: string;
  @IsIn(['found', 'missed', 'stale']) result: 'found' | 'missed' | 'stale';
  @Timestamp() checkedAt: string;
}

export class Attestation {
  @Name() source: string;
  @Text(200) by: string;
  @Timestamp() until: string;
}

/** A generation's reading begins. Carries all that decides besides pages. Natural key: (question, generation). Produced by search-runner. */
export class SearchStarted {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @Name() registerName: string;
  @Sha256() registerHash: string;
  @IsIn(['exists', 'gone', 'enumerate']) kind: 'exists' | 'gone' | 'enumerate';
  @IsArray()
  @ArrayMaxSize(IDENTIFIERS_MAX)
  @ValidateNested({ each: true })
  @Type(() => SearchedIdentifier)
  identifiers: SearchedIdentifier[];
  @Text(200) principal: string;
  @IsIn(['none', 'create', 'link', 'close', 'delete']) intent: 'none' | 'create' | 'link' | 'close' | 'delete';
  @IsOptional() @Sha256() payloadHash: string | null;
  @Timestamp() askedAt: string;
  @Timestamp() needsAsOf: string;
  @ValidateNested() @Type(() => ReadBudget) budget: ReadBudget;
  @IsArray() @ArrayMaxSize(SOURCES_MAX) @Matches(/^[a-z][a-z0-9-]{0,62}$/, { each: true }) sources: string[];
  @IsArray() @ArrayMaxSize(EXCLUSIONS_MAX) @ValidateNested({ each: true }) @Type(() => ExcludedRecord) exclusions: ExcludedRecord[];
  @IsArray() @ArrayMaxSize(SOURCES_MAX) @ValidateNested({ each: true }) @Type(() => KnownGap) knownGaps: KnownGap[];
  @IsArray() @ArrayMaxSize(SOURCES_MAX) @ValidateNested({ each: true }) @Type(() => ControlResult) controls: ControlResult[];
  @IsArray() @ArrayMaxSize(SOURCES_MAX) @ValidateNested({ each: true }) @Type(() => Attestation) attestations: Attestation[];
  @Timestamp() startedAt: string;
}

/** Our write of this key, and the moment that evidence must be later than to speak of it. */
export class OwnWrite {
  @IsIn(['known', 'unknown']) outcome: 'known' | 'unknown';
  @Timestamp() clearAt: string;
}

/** A row that matches or is ambiguous; `results` maps each identifier to agree, near, differ, missing or unavailable. */
export class MatchingRow {
  @Text(512) recordId: string;
  @IsOptional() @Text(512) version: string | null;
  @Sha256() digest: string;
  @IsObject() results: Record<string, 'agree' | 'near' | 'differ' | 'missing' | 'unavailable'>;
  @IsOptional() @Text(200) status: string | null;
  @IsOptional() @Text(512) followedTo: string | null;
  /** Of source own-writes at an outside target. */
  @IsOptional() @ValidateNested() @Type(() => OwnWrite) ownWrite?: OwnWrite;
}

/** One response was read. Natural key: (attempt, sequence). Produced by search-runner before it asks for the next page. */
export class PageRead {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @Name() source: string;
  @Id() attemptId: string;
  /** From 0, without gaps, over the attempt. */
  @Count(1_000_000) sequence: number;
  /** 2: the repetition of the whole read that proves the absence of drift. */
  @IsIn([1, 2]) pass: 1 | 2;
  /** Hash of the page read before it; 64 zeros for the first. */
  @Sha256() previousHash: string;
  /** SHA-256 of the canonical JSON of this object without `hash`. */
  @Sha256() hash: string;
  @Sha256() requestFingerprint: string;
  @IsOptional() @Sha256() cursorFingerprint: string | null;
  @IsOptional() @Sha256() nextCursorFingerprint: string | null;
  @Timestamp() startedAt: string;
  @Timestamp() endedAt: string;
  /** HTTP status, or null where the source has none. */
  @IsOptional() @IsInt() @Min(0) @Max(999) status: number | null;
  @Count() records: number;
  @Count() bytes: number;
  @Count() rowsWithoutKey: number;
  @IsIn(['signalled', 'continues', 'unclear']) end: 'signalled' | 'continues' | 'unclear';
  /** Why the walk stopped at this page; null while it goes on. */
  @IsOptional() @Reason() stop: string | null;
  @IsArray() @ArrayMaxSize(REASONS_MAX) @Matches(/^[a-z][a-z-]{0,62}$/, { each: true }) doubts: string[];
  @Sha256() bodySha256: string;
  @Sha256() idsDigest: string;
  @IsArray() @ArrayMaxSize(PAGE_ROWS_MAX) @ValidateNested({ each: true }) @Type(() => MatchingRow) rows: MatchingRow[];
  /** What the source said of itself, such as `{ "in_recovery": false }`: recorded, never an input of the verdict. */
  @IsOptional() @IsObject() remarks: Record<string, string | number | boolean> | null;
  /** Moment up to which the source calls the answer true, by its own clock: it moves the boundary back, never forward. Absent: none is named. */
  @IsOptional() @Timestamp() watermark?: string;
}

/** Per source, the attempt that counts. */
export class EndedSource {
  @Name() source: string;
  @IsOptional() @Id() attemptId: string | null;
  @Count(1_000_000) pages: number;
  @IsOptional() @Sha256() lastHash: string | null;
  @Reason() stopReason: string;
  @IsArray() @ArrayMaxSize(REASONS_MAX) @Matches(/^[a-z][a-z-]{0,62}$/, { each: true }) doubts: string[];
  @IsOptional() @Timestamp() startedAt: string | null;
  @IsOptional() @Timestamp() endedAt: string | null;
  @Count(1_000) attempts: number;
  /** Pages of all its attempts together, so that a lost one is noticed: it may have held the match. */
  @Count() pagesOfAllAttempts: number;
}

/** A generation's reading is over. Natural key: (question, generation); only the first counts. Produced by search-runner. */
export class SearchEnded {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @IsInt() @Min(1) @Max(1_000_000) generation: number;
  @IsArray() @ArrayMaxSize(SOURCES_MAX) @ValidateNested({ each: true }) @Type(() => EndedSource) sources: EndedSource[];
  @Timestamp() endedAt: string;
}

/** A semantic miss: a valid empty answer in a (tool, scope). Produced by search-runner. */
export class MissRecorded {
  @TenantId() tenantId: string;
  @Id() questionId: string;
  @Text(200) scope: string;
  @Count() misses: number;
  @IsBoolean() stopped: boolean;
  @Timestamp() at: string;
}
