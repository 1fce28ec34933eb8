import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, Post, Requires, SkipIdempotency } from '#platform/http';
import { VerifiedSessionResponse, VerifySessionRequest } from './session-verification.requests.js';
import { SessionVerificationService } from './session-verification.service.js';

@ApiTags('Sessions')
@Controller('v1/sessions/verify')
export class SessionVerificationController {
  constructor(private readonly sessionVerification: SessionVerificationService) {}

  @Post()
  @HttpCode(200)
  @Requires('sessions:read', { organization: 'none' })
  @SkipIdempotency('A stored response would be wrong after the session has ended.')
  @ApiOperation({
    operationId: 'verifySession',
    summary: 'Verify a session token',
    description:
      'Returns the user and the session of a session token that a client sent to your service. The field `active` of the response is false in each of these cases:\n\n- The token is invalid.\n- The caller does not have access to the user.\n- The session can only be used to enroll an MFA factor.\n- The organization that the user signed in to, or the organization that manages the user, is suspended.\n- The request has the field `organization`, the organization in this field requires MFA, and the user signed in without a factor that this organization allows.\n- The request has the field `organization`, and the session is older or was inactive for longer than this organization allows.\n\nDo not cache the response, because a session can be revoked at any time. A verification counts as activity of the session.',
  })
  @ApiData(VerifiedSessionResponse)
  @ApiProblems({
    404: 'The organization in the field `organization` does not exist, or the caller does not have access to it (`organization_not_found`).',
  })
  async verify(@Ctx() ctx: RequestContext, @Body() body: VerifySessionRequest): Promise<DataResponse<VerifiedSessionResponse>> {
    return { data: await this.sessionVerification.verify(ctx, body) };
  }
}
