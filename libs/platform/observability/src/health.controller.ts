import { Controller, Get, Header, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '#platform/common';
import { Build } from './build.js';
import { HealthChecks } from './health-checks.js';
import { LivenessResponse, ReadinessResponse } from './health.responses.js';

@ApiTags('Operations')
@Controller('health')
@Public(
  'Load balancers and orchestrators call it without credentials. The responses contain only the version and names of dependencies.',
)
export class HealthController {
  constructor(
    private readonly health: HealthChecks,
    private readonly build: Build,
  ) {}

  @Get('live')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Check liveness',
    description:
      'Returns 200 while the process is running, with the version of the service. Does not check the database or the queue.',
  })
  @ApiOkResponse({ description: 'The process is running.', type: LivenessResponse })
  live(): LivenessResponse {
    return new LivenessResponse(this.build);
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Check readiness',
    description:
      'Returns 200 if the process can serve requests, and 503 if a required dependency fails or the process is shutting down. Use this operation as the readiness probe of a load balancer or an orchestrator.',
  })
  @ApiOkResponse({ description: 'The process is ready to serve requests.', type: ReadinessResponse })
  @ApiServiceUnavailableResponse({
    type: ReadinessResponse,
    description: 'A required dependency fails, or the process is shutting down.',
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessResponse> {
    const readiness = await this.health.readiness();
    if (readiness.status !== 'ok') response.status(HttpStatus.SERVICE_UNAVAILABLE);
    return readiness;
  }
}
