import { ApiProperty } from '@nestjs/swagger';

/** The result of a replay. */
export class ReplayResponse {
  @ApiProperty({
    description: 'Number of deliveries that are replayed. With `dryRun`, the number of deliveries that a replay would send.',
    type: 'integer',
    example: 412,
  })
  count!: number;

  @ApiProperty({ description: 'Whether the deliveries were only counted.', example: false }) dryRun!: boolean;
}
