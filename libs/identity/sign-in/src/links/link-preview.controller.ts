import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, ForwardsClientAddress, Post, SkipIdempotency } from '#platform/http';
import { SSO_REQUIRED } from '#directory/users';
import { PreviewLinkRequest, MailedLinkResponse } from './link-preview.requests.js';
import { LinkPreviewService } from './link-preview.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth/links')
export class LinkPreviewController {
  constructor(private readonly linkPreview: LinkPreviewService) {}

  @Post('look')
  @HttpCode(200)
  @Public('The token of the link authenticates the user.')
  @SkipIdempotency('It changes nothing.')
  @ForwardsClientAddress('token')
  @ApiOperation({
    operationId: 'previewLink',
    summary: 'Preview a link',
    description:
      'Returns the purpose of an emailed link, without using up the link. Use this operation for the page that the link opens. The token is in the request body so that it does not appear in logs. If the link does not work, the field `detail` of the error says what to do.',
  })
  @ApiData(MailedLinkResponse)
  @ApiProblems({
    400: 'The request is invalid, or the link is unknown, already used, expired or replaced by a newer link. For a known invitation link, the code is `invitation_invalid`; for all other links, the code is `link_invalid`.',
    403: `${SSO_REQUIRED} Only for links that set a password.`,
    429: 'Too many requests from this IP address.',
  })
  async preview(@Ctx() ctx: RequestContext, @Body() { token }: PreviewLinkRequest): Promise<DataResponse<MailedLinkResponse>> {
    return { data: await this.linkPreview.preview(ctx, token) };
  }
}
