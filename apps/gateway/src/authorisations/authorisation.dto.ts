import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { Completeness } from '../questions/answer.dto.js';

export const authorisationDecisions = ['approved', 'declined'] as const;
export const authorisationStates = ['open', 'decided', 'over'] as const;

export class DecideAuthorisationBody {
  @ApiProperty({ enum: authorisationDecisions }) @IsIn(authorisationDecisions) decision: (typeof authorisationDecisions)[number];

  @ApiProperty({ description: 'That of the payload that was looked at, as the authorisation shows it: nothing else is approved.' })
  @Matches(/^[0-9a-f]{64}$/)
  payloadHash: string;

  @ApiPropertyOptional({ maxLength: 2_000 }) @IsOptional() @IsString() @IsNotEmpty() @MaxLength(2_000) note?: string;
}

export class AuthorisationDecisionView {
  @ApiProperty({ enum: authorisationDecisions }) decision: (typeof authorisationDecisions)[number];
  @ApiProperty() principal: string;
  @ApiProperty({ type: String, nullable: true }) note: string | null;
  @ApiProperty() decidedAt: string;
}

export class AuthorisationLinks {
  @ApiProperty() self: string;
  @ApiProperty() question: string;
}

export class AuthorisationView extends Completeness {
  @ApiProperty() authorisationId: string;
  @ApiProperty({ enum: authorisationStates, description: '`over`: the write has its answer, or time ended it.' })
  state: (typeof authorisationStates)[number];
  @ApiProperty({ enum: ['manual', 'four-eyes'] }) policy: string;
  @ApiProperty() questionId: string;
  @ApiProperty({ type: String, nullable: true, description: 'Who asked; null while the question is not read yet.' }) asker: string | null;
  @ApiProperty({ type: String, nullable: true }) register: string | null;
  @ApiProperty() target: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'What would be written.' })
  payload: Record<string, unknown> | null;
  @ApiProperty() payloadHash: string;
  @ApiProperty() requestedAt: string;
  @ApiProperty() expiresAt: string;
  @ApiProperty({ type: AuthorisationDecisionView, nullable: true }) decision: AuthorisationDecisionView | null;
  @ApiProperty({ type: String, nullable: true, description: 'The answer of the write, once it is over.' }) outcome: string | null;
  @ApiProperty({ type: AuthorisationLinks }) links: AuthorisationLinks;
}

export class AuthorisationList extends Completeness {
  @ApiProperty({ type: [AuthorisationView] }) items: AuthorisationView[];
  @ApiProperty({ type: String, nullable: true }) nextCursor: string | null;
}
