import { ApiProperty } from '@nestjs/swagger';
import type { CheckResult, Readiness } from './health-checks.js';

/** Answer of `GET /health/live`. */
export class LivenessResponse {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  readonly status = 'ok' as const;
}

/** Answer of `GET /health/ready`. */
export class ReadinessResponse implements Readiness {
  @ApiProperty({ enum: ['ok', 'failed', 'shutting_down'], example: 'ok', description: 'Only "ok" takes requests.' })
  readonly status!: Readiness['status'];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['ok', 'failed'] },
    example: { database: 'ok', queue: 'ok', migrations: 'ok' },
    description: 'Each part by name.',
  })
  readonly checks!: Readonly<Record<string, CheckResult>>;
}
