import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ImportErrorResponse {
  @ApiProperty({ example: 'email_taken' }) code!: string;
  @ApiProperty({ example: 'A user with the e-mail address "ada@example.com" already exists in this tree of organizations.' })
  message!: string;
  @ApiPropertyOptional({ description: 'JSON Pointer to the field.', example: '/email' }) pointer?: string;
}

/** What became of one line. */
export class ImportOutcomeResponse {
  @ApiProperty({ type: 'integer', description: 'From 1; in CSV the header is line 1.', example: 2 }) line!: number;
  @ApiProperty({ enum: ['created', 'updated', 'unchanged', 'failed'], example: 'created' })
  status!: 'created' | 'updated' | 'unchanged' | 'failed';
  @ApiPropertyOptional({ description: 'The user; absent when the line failed.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  id?: string;
  @ApiPropertyOptional({ type: ImportErrorResponse, description: 'Why the line failed.' }) error?: ImportErrorResponse;
}

export class ImportCountsResponse {
  @ApiProperty({ type: 'integer', example: 3 }) lines!: number;
  @ApiProperty({ type: 'integer', example: 2 }) created!: number;
  @ApiProperty({ type: 'integer', example: 0 }) updated!: number;
  @ApiProperty({ type: 'integer', example: 0 }) unchanged!: number;
  @ApiProperty({ type: 'integer', example: 1 }) failed!: number;
}

/** The last line of the answer. Where it is missing, the import broke off and can be sent again. */
export class ImportSummaryResponse {
  @ApiProperty({ type: ImportCountsResponse }) summary!: ImportCountsResponse;
  @ApiProperty({ description: 'Whether every line of the body has its outcome.', example: true }) complete!: boolean;
  @ApiPropertyOptional({ type: ImportErrorResponse, description: 'Why the import stopped before the end.' })
  error?: ImportErrorResponse;
}
