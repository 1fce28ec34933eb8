import { Controller, Get, Header, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '#common';
import { HealthChecks } from './health-checks.js';
import { LivenessResponse, ReadinessResponse } from './health.responses.js';

@ApiTags('Operations')
@Controller('health')
@Public('Load balancers and orchestrators ask without credentials; the answers hold nothing but names of parts.')
export class HealthController {
  constructor(private readonly health: HealthChecks) {}

  @Get('live')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'getLiveness', summary: 'Ask whether the process runs' })
  @ApiOkResponse({ description: 'It runs.', type: LivenessResponse })
  live(): LivenessResponse {
    return new LivenessResponse();
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'getReadiness', summary: 'Ask whether the process can take requests' })
  @ApiOkResponse({ description: 'It can.', type: ReadinessResponse })
  @ApiServiceUnavailableResponse({
    type: ReadinessResponse,
    description: 'A part does not work, or the process is shutting down.',
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessResponse> {
    const readiness = await this.health.readiness();
    if (readiness.status !== 'ok') response.status(HttpStatus.SERVICE_UNAVAILABLE);
    return readiness;
  }
}
