import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, Post, SkipIdempotency } from '#platform/http';
import { OpenSetupLinkRequest } from './setup-link.requests.js';
import { OpenedSetupLinkResponse } from './setup-link.responses.js';
import { SetupPagesService } from './setup-pages.service.js';

@ApiTags('Setup links')
@Controller('v1/auth/setup-links')
export class OpenedSetupLinksController {
  constructor(private readonly setupPages: SetupPagesService) {}

  @Post('open')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('Only the first opening is recorded.')
  @ApiOperation({
    operationId: 'openSetupLink',
    summary: 'Open a setup link',
    description:
      'Returns what the page of a setup link needs. The token is also the bearer token for the operations of the steps. Publishes `setup_link.opened` the first time.',
  })
  @ApiData(OpenedSetupLinkResponse)
  @ApiProblems({
    400: 'The field `token` is missing or invalid.',
    401: 'The link is unknown, expired or revoked (`setup_link_invalid`).',
    429: 'Too many requests from this IP address.',
  })
  async open(
    @Ctx() ctx: RequestContext,
    @Body() { token }: OpenSetupLinkRequest,
  ): Promise<DataResponse<OpenedSetupLinkResponse>> {
    return { data: OpenedSetupLinkResponse.from(await this.setupPages.open(ctx, token)) };
  }
}
