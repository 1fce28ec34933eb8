import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, SkipIdempotency } from '#http';
import { AcceptedInvitationResponse, AcceptInvitationRequest } from './accept-invitation.requests.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';

/** Accepting an invitation: what the page does that the mail leads to. */
@ApiTags('Sign-in')
@Controller('v1/auth')
export class AcceptInvitationController {
  constructor(private readonly invitations: InvitationAcceptance) {}

  @Post('accept-invitation')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('The token works once.')
  @ApiOperation({
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      "Sets the invited user's password. The user becomes active, with the e-mail address verified. The token works once, for seven days.",
  })
  @ApiData(AcceptedInvitationResponse, { description: 'The invitation was accepted.' })
  @ApiProblems({
    400: 'The request is malformed, or the invitation does not work (any more).',
    422: "The password breaks the organization's policy.",
    503: 'Too many passwords are being hashed at this moment.',
  })
  async accept(
    @Ctx() ctx: RequestContext,
    @Body() body: AcceptInvitationRequest,
  ): Promise<DataAnswer<AcceptedInvitationResponse>> {
    const { userId, status, organizationId } = await this.invitations.accept(ctx, body);
    return { data: { userId, status, organizationId } };
  }
}
