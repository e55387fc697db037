import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { Completeness } from '../questions/answer.dto.js';

export class RegisterIdentifierView {
  @ApiProperty() name: string;
  @ApiProperty({ enum: ['scope', 'key', 'hint'] }) kind: string;
  @ApiProperty() optional: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'Regular expression that the whole value must satisfy.' }) format:
    string | null;
}

export class RegisterSourceView {
  @ApiProperty() name: string;
  @ApiProperty({ enum: ['deciding', 'candidates', 'lookup'] }) role: string;
  @ApiProperty({ enum: ['exact-lookup', 'enumeration', 'approximate'] }) method: string;
}

export class RegisterView {
  @ApiProperty() name: string;
  @ApiProperty() version: string;
  @ApiProperty({ description: 'SHA-256 of the register, as every receipt names it.' }) hash: string;
  @ApiProperty() publishedAt: string;
  @ApiProperty() owner: string;
  @ApiProperty({ enum: ['auto', 'manual', 'four-eyes'] }) policy: string;
  @ApiProperty({ type: String, nullable: true, description: 'Write target; null: nothing can be created through it.' }) target:
    string | null;
  @ApiProperty({ type: [RegisterIdentifierView] }) identifiers: RegisterIdentifierView[];
  @ApiProperty({ type: [RegisterSourceView] }) sources: RegisterSourceView[];
}

export class RegisterDetailView extends IntersectionType(Completeness, RegisterView) {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The register with every default, without how its sources are reached.',
  })
  register: Record<string, unknown>;
}

export class RegisterList extends Completeness {
  @ApiProperty({ type: [RegisterView] }) items: RegisterView[];
}
