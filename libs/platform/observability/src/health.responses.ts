import { ApiProperty } from '@nestjs/swagger';
import type { CheckResult, Readiness } from './health-checks.js';

export class LivenessResponse {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  readonly status = 'ok' as const;
}

export class ReadinessResponse implements Readiness {
  @ApiProperty({
    enum: ['ok', 'failed', 'shutting_down'],
    example: 'ok',
    description: 'State of the process. Send requests only to a process that is `ok`.',
  })
  readonly status!: Readiness['status'];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['ok', 'failed'] },
    example: { database: 'ok', queue: 'ok', migrations: 'ok' },
    description:
      'Result of each check, by name of the dependency. The process can be `ok` although an optional dependency fails.',
  })
  readonly checks!: Readonly<Record<string, CheckResult>>;
}
