/** Field rules used by several events: one decorator per idea, so that a rule has one home. */
import { applyDecorators } from './apply-decorators.js';
import { IsInt, IsISO8601, IsNotEmpty, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

/** Lower-case letters, digits and hyphens, 1 to 63 characters. */
export const TenantId = () => applyDecorators(IsString(), Matches(/^[a-z0-9][a-z0-9-]{0,62}$/));

/** Letters, digits, `_`, `-`, `.` and `:`, 1 to 200 characters. Tenant, question and record separators are never in it. */
export const Id = () => applyDecorators(IsString(), Matches(/^[A-Za-z0-9][A-Za-z0-9_.:~-]{0,199}$/));

/** Name of a register, source or identifier: a lower-case word with hyphens, 1 to 63 characters. */
export const Name = () => applyDecorators(IsString(), Matches(/^[a-z][a-z0-9-]{0,62}$/));

/** Lower-case hex SHA-256. */
export const Sha256 = () => applyDecorators(IsString(), Matches(/^[0-9a-f]{64}$/));

/** ISO 8601 in UTC with milliseconds, such as 2026-01-31T12:00:00.000Z. */
export const Timestamp = () => applyDecorators(IsISO8601({ strict: true }), Matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

/** Text of 1 to `max` UTF-16 units. */
export const Text = (max: number) => applyDecorators(IsString(), IsNotEmpty(), MaxLength(max));

/** Whole number from 0 to `max`, at most 2^53 - 1. */
export const Count = (max = Number.MAX_SAFE_INTEGER) => applyDecorators(IsInt(), Min(0), Max(max));

/** Reason code of the catalogue; unknown codes are kept and hold (invariant V1). */
export const Reason = () => applyDecorators(IsString(), Matches(/^[a-z][a-z-]{0,62}$/));
