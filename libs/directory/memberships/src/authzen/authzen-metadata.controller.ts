import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '#platform/common';
import { AppConfig } from '#platform/config';
import { AuthzenMetadataResponse } from './authzen.requests.js';

@ApiTags('Roles')
@Controller('.well-known/authzen-configuration')
export class AuthzenMetadataController {
  constructor(private readonly config: AppConfig) {}

  @Get()
  @Public('Public addresses, with which programs find the evaluation API.')
  @Header('Cache-Control', 'public, max-age=3600')
  @ApiOperation({
    operationId: 'getAuthzenConfiguration',
    summary: 'Get the AuthZEN metadata',
    description: 'Returns the addresses of the evaluation API, as the Authorization API 1.0 of OpenID AuthZEN defines them.',
  })
  @ApiOkResponse({ description: 'The metadata.', type: AuthzenMetadataResponse })
  get(): AuthzenMetadataResponse {
    const { baseUrl } = this.config;
    return {
      policy_decision_point: baseUrl,
      access_evaluation_endpoint: `${baseUrl}/access/v1/evaluation`,
      access_evaluations_endpoint: `${baseUrl}/access/v1/evaluations`,
    };
  }
}
