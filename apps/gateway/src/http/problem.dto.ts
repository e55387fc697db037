import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ProblemError {
  @ApiPropertyOptional({ description: 'RFC 6901 pointer into the body.' }) pointer?: string;
  @ApiPropertyOptional({ description: 'Name of a header or query parameter.' }) parameter?: string;
  @ApiProperty() detail: string;
}

/** application/problem+json, RFC 9457. */
export class ProblemView {
  @ApiProperty({ description: '`urn:lacuna:problem:` and the code.' }) type: string;
  @ApiProperty() title: string;
  @ApiProperty() status: number;
  @ApiProperty({ description: 'Stable, for programs.', example: 'invalid-request' }) code: string;
  @ApiProperty({ description: 'Path of the request.' }) instance: string;
  @ApiPropertyOptional() detail?: string;
  @ApiPropertyOptional({ type: [ProblemError] }) errors?: ProblemError[];
}
