import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, SkipIdempotency } from '#platform/http';
import { LookAtLinkRequest, MailedLinkResponse } from './look.requests.js';
import { LookAtLinksService } from './look.service.js';

/** What the pages that mails lead to have to know. */
@ApiTags('Sign-in')
@Controller('v1/auth/links')
export class LookAtLinksController {
  constructor(private readonly links: LookAtLinksService) {}

  @Post('look')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('It changes nothing.')
  @ApiOperation({
    operationId: 'lookAtLink',
    summary: 'Preview a link',
    description:
      'Returns the purpose of an emailed link, without using up the link. Use this operation for the page that the link opens. The token is in the request body so that it does not appear in logs. If the link does not work, the field `detail` of the error says what to do.',
  })
  @ApiData(MailedLinkResponse)
  @ApiProblems({
    400: 'The request is invalid, or the link is unknown, already used, expired or replaced by a newer link. For a known invitation link, the code is `invitation_invalid`; for all other links, the code is `link_invalid`.',
    429: 'Too many requests from this IP address.',
  })
  async look(@Ctx() ctx: RequestContext, @Body() { token }: LookAtLinkRequest): Promise<DataAnswer<MailedLinkResponse>> {
    return { data: await this.links.look(ctx, token) };
  }
}
