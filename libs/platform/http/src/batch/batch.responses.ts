import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProblemResponse } from '../responses.js';
import type { ItemResult } from './batch.service.js';

export class BatchItemResponse {
  @ApiPropertyOptional({
    description: 'Id of the user. Absent if no user was created.',
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  userId?: string;

  @ApiPropertyOptional({ description: 'Email address in the request.', example: 'jane.doe@example.com' })
  email?: string;

  @ApiProperty({
    description: 'HTTP status that the operation for one user returns.',
    type: 'integer',
    example: 200,
  })
  status!: number;

  @ApiPropertyOptional({
    type: ProblemResponse,
    description: 'The error that the operation for one user returns. Absent if the item succeeded.',
  })
  problem?: ProblemResponse;
}

export class BatchResponse {
  @ApiProperty({ type: 'integer', description: 'Number of items that succeeded.', example: 1 }) succeeded!: number;
  @ApiProperty({ type: 'integer', description: 'Number of items that failed.', example: 0 }) failed!: number;
  @ApiProperty({ type: [BatchItemResponse], description: 'One result for each item, in the order of the request.' })
  results!: BatchItemResponse[];

  /** Returns the response to a batch whose items are users or email addresses. */
  static from(results: readonly ItemResult[], itemName: 'userId' | 'email' = 'userId'): BatchResponse {
    const failed = results.filter(({ problem }) => problem).length;
    return {
      succeeded: results.length - failed,
      failed,
      results: results.map(({ item, ...result }) => ({ [itemName]: item, ...result }) as BatchItemResponse),
    };
  }
}
