import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { Completeness, ReasonView, RecordView } from '../questions/answer.dto.js';

export const decisions = ['rerun', 'same', 'different'] as const;
const subjects = ['match-review', 'evidence-hold', 'delivery-stalled'] as const;

/** A record of the case, named as the case names it. */
export class RecordReference {
  @ApiProperty() @Matches(/^[a-z][a-z0-9-]{0,62}$/) source: string;
  @ApiProperty({ maxLength: 512 }) @IsString() @IsNotEmpty() @MaxLength(512) recordId: string;
}

export class DecideCaseBody {
  @ApiProperty({
    enum: decisions,
    description:
      '`rerun` asks the question once more; `same` says that the record is the one looked for; `different` says that it is another, and asks once more without it, at the version that was reviewed.',
  })
  @IsIn(decisions)
  decision: (typeof decisions)[number];

  @ApiPropertyOptional({ type: [RecordReference], description: 'Which records of the case are meant; all of them when left out.' })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => RecordReference)
  records?: RecordReference[];

  @ApiPropertyOptional({ maxLength: 2_000 }) @IsOptional() @IsString() @IsNotEmpty() @MaxLength(2_000) note?: string;
}

export class DecisionView {
  @ApiProperty({ enum: decisions }) decision: (typeof decisions)[number];
  @ApiProperty() principal: string;
  @ApiProperty({ type: String, nullable: true }) note: string | null;
  @ApiProperty() decidedAt: string;
}

export class CaseLinks {
  @ApiProperty() self: string;
  @ApiProperty() question: string;
  @ApiProperty({ type: String, nullable: true }) receipt: string | null;
}

export class CaseView extends Completeness {
  @ApiProperty() caseId: string;
  @ApiProperty({ enum: ['open', 'closed'] }) state: 'open' | 'closed';
  @ApiProperty({ enum: subjects }) subject: (typeof subjects)[number];
  @ApiProperty() questionId: string;
  @ApiProperty() generation: number;
  @ApiProperty() register: string;
  @ApiProperty() owner: string;
  @ApiProperty() statement: string;
  @ApiProperty({ type: [ReasonView] }) reasons: ReasonView[];
  @ApiProperty({ type: [RecordView] }) records: RecordView[];
  @ApiProperty({ type: String, nullable: true }) receiptId: string | null;
  @ApiProperty() openedAt: string;
  @ApiProperty({ type: String, nullable: true }) closedAt: string | null;
  @ApiProperty({ type: String, nullable: true }) outcome: string | null;
  @ApiProperty({ type: DecisionView, nullable: true }) decision: DecisionView | null;
  @ApiProperty({ type: CaseLinks }) links: CaseLinks;
}

export class CaseList extends Completeness {
  @ApiProperty({ type: [CaseView] }) items: CaseView[];
  @ApiProperty({ type: String, nullable: true }) nextCursor: string | null;
}
