import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiProblems, Ctx } from '#http';
import type { Response } from 'express';
import { IMAGE_TYPES } from './image-type.js';
import { Logos } from './logos.service.js';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** Pictures for the pages on which people sign in. */
@ApiTags('Sign-in')
@Controller('v1/auth/branding')
export class LogoController {
  constructor(private readonly logos: Logos) {}

  @Get(':organizationId/logo')
  @Public('Shown before anybody is signed in.')
  @ApiOperation({
    operationId: 'getLogo',
    summary: "Get an organization's logo",
    description:
      'The picture at `branding.logo` (its own, or of the nearest organization above that has a branding), passed on by the service, which keeps it for an hour: pages load nothing from elsewhere. PNG, JPEG, GIF or WebP of at most 512 KB; redirects are not followed.',
  })
  @ApiParam({
    name: 'organizationId',
    description: 'The organization, by its id or its slug.',
    schema: { type: 'string', maxLength: 63 },
    example: 'acme',
  })
  @ApiOkResponse({
    description: 'The picture.',
    content: Object.fromEntries(IMAGE_TYPES.map((type) => [type, BINARY])),
  })
  @ApiProblems({
    404: 'There is no such organization or no logo, or it can not be had from where it should be.',
    429: 'Too many requests from this address.',
  })
  async get(@Ctx() ctx: RequestContext, @Param('organizationId') handle: string, @Res() response: Response): Promise<void> {
    const { type, bytes } = await this.logos.of(ctx, handle);
    // Whatever else the bytes may be, a browser shows a picture or nothing.
    response.set({
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'public, max-age=3600',
    });
    response.send(bytes);
  }
}
