import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, Requires, SkipIdempotency } from '#http';
import { VerifiedSessionResponse, VerifySessionRequest } from './session-verification.requests.js';
import { SessionVerification } from './session-verification.service.js';

@ApiTags('Sessions')
@Controller('v1/sessions/verify')
export class SessionVerificationController {
  constructor(private readonly verification: SessionVerification) {}

  @Post()
  @HttpCode(200)
  @Requires('sessions:read', { organization: 'none' })
  @SkipIdempotency('Sessions end; an answer that was kept would be wrong.')
  @ApiOperation({
    operationId: 'verifySession',
    summary: 'Verify a session token',
    description:
      'Returns the user and the session of a session token that a client sent to your service. `active` is false for an invalid token and for the session of a user whom the caller does not have access to. It is also false while the organization of the session is suspended, for a session that can only enroll an MFA factor, and if `organization` requires MFA that the session lacks. Do not cache the response, because a session can be revoked at any time. A verification counts as activity of the session.',
  })
  @ApiData(VerifiedSessionResponse)
  @ApiProblems({ 404: 'The `organization` does not exist, or the caller does not have access to it (`organization_not_found`).' })
  async verify(@Ctx() ctx: RequestContext, @Body() body: VerifySessionRequest): Promise<DataAnswer<VerifiedSessionResponse>> {
    return { data: await this.verification.verify(ctx, body) };
  }
}
