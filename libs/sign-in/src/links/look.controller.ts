import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, SkipIdempotency } from '#http';
import { LookAtLinkRequest, MailedLinkResponse } from './look.requests.js';
import { LookAtLinks } from './look.service.js';

/** What the pages that mails lead to have to know. */
@ApiTags('Sign-in')
@Controller('v1/auth/links')
export class LookAtLinksController {
  constructor(private readonly links: LookAtLinks) {}

  @Post('look')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('It changes nothing.')
  @ApiOperation({
    operationId: 'lookAtLink',
    summary: 'Look what a mailed link is for',
    description:
      'For the pages that mails lead to. It uses nothing up. The token goes in the body, so that it stands in no log; a link that does not work (any more) is answered with what to do.',
  })
  @ApiData(MailedLinkResponse)
  @ApiProblems({
    400: 'The request is malformed, or the link does not work (any more): `invitation_invalid`, `link_invalid`.',
    429: 'Too many requests from this address.',
  })
  async look(@Ctx() ctx: RequestContext, @Body() { token }: LookAtLinkRequest): Promise<DataAnswer<MailedLinkResponse>> {
    return { data: await this.links.look(ctx, token) };
  }
}
