import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock, Public, type RequestContext } from '#platform/common';
import { ApiIdParam, ApiProblems, Ctx } from '#platform/http';
import { ApiLogo, LOGO_RULES, LogosService, sendLogo } from '#directory/organizations';
import type { Response } from 'express';
import { OAuthClientQuery } from './oauth-client.query.js';
import { CLIENT_ID } from './oauth-client.responses.js';

@ApiTags('Sign-in')
@Controller('v1/auth/application-logos')
export class ApplicationLogoController {
  constructor(
    private readonly clients: OAuthClientQuery,
    private readonly logos: LogosService,
    private readonly clock: Clock,
  ) {}

  @Get(':clientId')
  @Public('Shown before anybody is signed in.')
  @ApiIdParam({ name: 'clientId', description: 'Id of the OAuth client.', example: CLIENT_ID })
  @ApiOperation({
    operationId: 'getApplicationLogo',
    summary: 'Get the logo of an application',
    description: `Returns the image at the URL in \`logoUri\` of the OAuth client. ${LOGO_RULES}`,
  })
  @ApiLogo()
  @ApiProblems({
    404: 'The client does not exist or has no logo, or the logo cannot be downloaded (`logo_not_found`).',
    429: 'Too many requests from this IP address.',
  })
  async get(@Ctx() ctx: RequestContext, @Param('clientId') id: string, @Res() response: Response): Promise<void> {
    const client = await this.clients.findById(ctx, id, this.clock.now());
    sendLogo(response, await this.logos.load(client?.logoUri ?? null));
  }
}
