import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiProblems, Ctx } from '#platform/http';
import type { Response } from 'express';
import { ApiLogo, LOGO_RULES, sendLogo } from './logo-response.js';
import { LogosService } from './logos.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth/branding')
export class LogoController {
  constructor(private readonly logos: LogosService) {}

  @Get(':organizationId/logo')
  @Public('Shown before anybody is signed in.')
  @ApiOperation({
    operationId: 'getLogo',
    summary: "Get an organization's logo",
    description: `Returns the logo of the organization, which is the image at the URL in \`branding.logo\`. An organization without \`branding\` uses the \`branding\` of the nearest ancestor that has \`branding\`. ${LOGO_RULES}`,
  })
  @ApiParam({
    name: 'organizationId',
    description: 'Id or slug of the organization.',
    schema: { type: 'string', maxLength: 63 },
    example: 'acme',
  })
  @ApiLogo()
  @ApiProblems({
    404: 'The organization does not exist or has no logo, or the logo cannot be downloaded (`logo_not_found`).',
    429: 'Too many requests from this IP address.',
  })
  async get(@Ctx() ctx: RequestContext, @Param('organizationId') handle: string, @Res() response: Response): Promise<void> {
    sendLogo(response, await this.logos.get(ctx, handle));
  }
}
