import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, ForwardsClientAddress, Post, SkipIdempotency } from '#platform/http';
import { SSO_REQUIRED } from '#directory/users';
import { AcceptedInvitationResponse, AcceptInvitationRequest } from './accept-invitation.requests.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth')
export class AcceptInvitationController {
  constructor(private readonly invitationAcceptance: InvitationAcceptanceService) {}

  @Post('accept-invitation')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('The token works once.')
  @ForwardsClientAddress('token')
  @ApiOperation({
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Sets the password of the invited user, activates the user and marks the email address as verified. The token from the invitation link works once and expires after 7 days. Publishes `user.activated` and `user.password_changed`.',
  })
  @ApiData(AcceptedInvitationResponse, { description: 'The invitation was accepted.' })
  @ApiProblems({
    400: 'The request is invalid, or the invitation is unknown, already used, expired or replaced by a newer invitation (`invitation_invalid`).',
    403: `${SSO_REQUIRED} The first sign-in with the identity provider activates the user.`,
    422: 'The password violates the password policy (`password_refused`).',
    503: 'The service is processing too many passwords and codes at the moment (`unavailable`). Try again after the number of seconds in `Retry-After`.',
  })
  async accept(
    @Ctx() ctx: RequestContext,
    @Body() body: AcceptInvitationRequest,
  ): Promise<DataResponse<AcceptedInvitationResponse>> {
    const { userId, status, organizationId } = await this.invitationAcceptance.accept(ctx, body);
    return { data: { userId, status, organizationId } };
  }
}
