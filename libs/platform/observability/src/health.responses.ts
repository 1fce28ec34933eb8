import { ApiProperty } from '@nestjs/swagger';
import type { Build } from './build.js';
import type { CheckResult, Readiness } from './health-checks.js';

export class LivenessResponse {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  readonly status = 'ok' as const;

  @ApiProperty({ example: '1.4.2', description: 'Version of the service.' })
  readonly version: string;

  @ApiProperty({
    example: '7f3c2a91b0de',
    description: 'Commit that the service was built from, or `unknown`. Ends with `-dirty` if files differed from the commit.',
  })
  readonly commit: string;

  constructor({ version, commit }: Build) {
    this.version = version;
    this.commit = commit;
  }
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
    example: { database: 'ok', queue: 'ok', migrations: 'ok', disk: 'ok' },
    description:
      'Result of each check, by name of the dependency. The process can be `ok` although an optional dependency fails. `disk` fails if PostgreSQL had no space for a change in the last minute; reads still work.',
  })
  readonly checks!: Readonly<Record<string, CheckResult>>;
}
