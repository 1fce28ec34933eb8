import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ImportErrorResponse {
  @ApiProperty({ description: 'Stable code of the error, for programs.', example: 'email_taken' }) code!: string;
  @ApiProperty({
    description: 'Explanation of the error, for people.',
    example: 'A user with the email address "jane.doe@example.com" already exists in this tenant.',
  })
  message!: string;
  @ApiPropertyOptional({ description: 'JSON Pointer to the invalid field.', example: '/email' }) pointer?: string;
}

export class ImportOutcomeResponse {
  @ApiProperty({ type: 'integer', description: 'Line number, starting at 1. In CSV, the header is line 1.', example: 2 })
  line!: number;
  @ApiProperty({ description: 'Result of the line.', enum: ['created', 'updated', 'unchanged', 'failed'], example: 'created' })
  status!: 'created' | 'updated' | 'unchanged' | 'failed';
  @ApiPropertyOptional({
    description:
      'Id of the user or organization. Absent if the line failed or has the status `deleted`, and in a preview for a user or organization that would be created.',
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  id?: string;
  @ApiPropertyOptional({ type: ImportErrorResponse, description: 'Reason why the line failed.' }) error?: ImportErrorResponse;
}

export class ImportCountsResponse {
  @ApiProperty({ type: 'integer', description: 'Number of lines that were processed.', example: 3 }) lines!: number;
  @ApiProperty({ type: 'integer', description: 'Number of users and organizations that were created.', example: 2 })
  created!: number;
  @ApiProperty({ type: 'integer', description: 'Number of users that were updated.', example: 0 }) updated!: number;
  @ApiProperty({ type: 'integer', description: 'Number of users and organizations without a change.', example: 0 })
  unchanged!: number;
  @ApiProperty({ type: 'integer', description: 'Number of lines that failed.', example: 1 }) failed!: number;
}

/** The last line of the response. Without this line, the import was interrupted and can be repeated. */
export class ImportSummaryResponse {
  @ApiProperty({ type: ImportCountsResponse }) summary!: ImportCountsResponse;
  @ApiProperty({ description: 'Whether every line of the body was processed.', example: true }) complete!: boolean;
  @ApiPropertyOptional({ description: 'Present and `true` if this was a preview, which wrote nothing.', example: true })
  preview?: boolean;
  @ApiPropertyOptional({ type: ImportErrorResponse, description: 'Reason why the import stopped early.' })
  error?: ImportErrorResponse;
}
