import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiProblems, Ctx } from '#platform/http';
import type { Response } from 'express';
import { IMAGE_TYPES } from './image-type.js';
import { LogosService } from './logos.service.js';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

@ApiTags('Sign-in')
@Controller('v1/auth/branding')
export class LogoController {
  constructor(private readonly logos: LogosService) {}

  @Get(':organizationId/logo')
  @Public('Shown before anybody is signed in.')
  @ApiOperation({
    operationId: 'getLogo',
    summary: "Get an organization's logo",
    description:
      'Returns the logo of the organization, which is the image at the URL in `branding.logo`. An organization without `branding` uses the `branding` of the nearest ancestor that has `branding`. The service downloads the image and caches it for 1 hour, so that sign-in pages load nothing from other hosts. The image must be a PNG, JPEG, GIF or WebP of up to 512 KB. Redirects are not followed.',
  })
  @ApiParam({
    name: 'organizationId',
    description: 'Id or slug of the organization.',
    schema: { type: 'string', maxLength: 63 },
    example: 'acme',
  })
  @ApiOkResponse({
    description: 'The image.',
    content: Object.fromEntries(IMAGE_TYPES.map((type) => [type, BINARY])),
  })
  @ApiProblems({
    404: 'The organization does not exist or has no logo, or the logo cannot be downloaded (`logo_not_found`).',
    429: 'Too many requests from this IP address.',
  })
  async get(@Ctx() ctx: RequestContext, @Param('organizationId') handle: string, @Res() response: Response): Promise<void> {
    const { type, bytes } = await this.logos.get(ctx, handle);
    // With this policy, a browser can display the bytes as an image but can't run them as a page or script.
    response.set({
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'public, max-age=3600',
    });
    response.send(bytes);
  }
}
