import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

/** A day. */
export const EXCEPTION_LIVES_MS_MAX = 86_400_000;
/** A quarter of an hour. */
export const EXCEPTION_LIVES_MS_DEFAULT = 900_000;

export class GrantExceptionBody {
  @ApiProperty({ description: 'That of the hold, as the answer shows it: no other reading is accepted.' })
  @Matches(/^[0-9a-f]{64}$/)
  receiptHash: string;

  @ApiProperty({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the payload that was asked to be written.' })
  @Matches(/^[0-9a-f]{64}$/)
  payloadHash: string;

  @ApiProperty({ maxLength: 2_000, description: 'Why the risk is accepted. It stands beside the verdict for ever.' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(2_000)
  reason: string;

  @ApiPropertyOptional({ minimum: 1_000, maximum: EXCEPTION_LIVES_MS_MAX, default: EXCEPTION_LIVES_MS_DEFAULT })
  @IsOptional()
  @IsInt()
  @Min(1_000)
  @Max(EXCEPTION_LIVES_MS_MAX)
  livesMs?: number;
}
