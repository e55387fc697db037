import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { IDENTIFIER_VALUE_CHARACTERS_MAX, IDENTIFIERS_MAX } from '@lacuna/events';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const kinds = ['exists', 'gone', 'enumerate'] as const;
const provenances = ['person', 'system', 'model'] as const;
export const PAYLOAD_BYTES_MAX = 65_536;

/** One identifier: a name that the register declares, its value, and who says so. */
export class IdentifierBody {
  @ApiProperty({ description: 'A name that the register declares.', example: 'account', pattern: NAME.source })
  @Matches(NAME)
  name: string;

  @ApiProperty({ example: 'A-1001', maxLength: IDENTIFIER_VALUE_CHARACTERS_MAX })
  @IsString()
  @IsNotEmpty()
  @MaxLength(IDENTIFIER_VALUE_CHARACTERS_MAX)
  value: string;

  @ApiPropertyOptional({ enum: provenances, default: 'system', description: 'Who supplied the value.' })
  @IsIn(provenances)
  provenance: (typeof provenances)[number] = 'system';
}

/** What the asker wants to do next. */
export class IntentBody {
  @ApiProperty({ enum: ['none', 'create'], description: '`create` makes the record when the verdict, and the policy, allow it.' })
  @IsIn(['none', 'create'])
  kind: 'none' | 'create';

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: `The record to create: at most ${PAYLOAD_BYTES_MAX} bytes of RFC 8785 canonical JSON.`,
  })
  @IsOptional()
  @IsObject()
  // Taken from the request as it was parsed: a copy made by the transformer would not be what was hashed.
  @Transform(({ obj }: { obj: { payload?: unknown } }) => obj.payload)
  payload?: Record<string, unknown>;
}

/** Less than the register allows; more is refused. */
export class BudgetBody {
  @ApiPropertyOptional({ minimum: 1 }) @IsOptional() @IsInt() @Min(1) @Max(1_000_000) pagesMax?: number;
  @ApiPropertyOptional({ minimum: 1 }) @IsOptional() @IsInt() @Min(1) @Max(1_000_000_000) recordsMax?: number;
  @ApiPropertyOptional({ minimum: 1 }) @IsOptional() @IsInt() @Min(1) @Max(Number.MAX_SAFE_INTEGER) bytesMax?: number;
  @ApiPropertyOptional({ minimum: 1 }) @IsOptional() @IsInt() @Min(1) @Max(86_400_000) elapsedMsMax?: number;
}

/** One testable question against a register. */
export class AskQuestionBody {
  @ApiProperty({ description: 'Name of a register (GET /v1/registers).', example: 'service-requests', pattern: NAME.source })
  @Matches(NAME)
  register: string;

  @ApiPropertyOptional({
    enum: kinds,
    default: 'exists',
    description:
      '`exists`: is there such a record? `gone`: is it gone, in whatever status, so that it may be closed or deleted? `enumerate`: which are ' +
      'there and how many? A count is given only of a complete read. Only `exists` can have the intent to create.',
  })
  @IsIn(kinds)
  kind: (typeof kinds)[number] = 'exists';

  @ApiProperty({ type: [IdentifierBody], minItems: 1, maxItems: IDENTIFIERS_MAX })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(IDENTIFIERS_MAX)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => IdentifierBody)
  identifiers: IdentifierBody[];

  @ApiPropertyOptional({ type: IntentBody, description: 'Left out: nothing is written.' })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => IntentBody)
  intent?: IntentBody;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Sources must have been seen up to this moment. Default: now minus the register’s tolerance. Not in the future.',
  })
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  @Matches(/T.*(Z|[+-]\d\d:\d\d)$/, { message: '$property must be a date and time with an offset, such as 2026-01-31T12:00:00Z' })
  needsAsOf?: string;

  @ApiPropertyOptional({ type: BudgetBody, description: 'May only lower what the register allows.' })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => BudgetBody)
  budget?: BudgetBody;
}
