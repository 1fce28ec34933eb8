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
    summary: 'Ask whose session a token belongs to',
    description:
      'For backends that were sent a session token. Only sessions of users in an organization within reach are told of; any other token is `active: false`. The answer is true at this moment: do not keep it.',
  })
  @ApiData(VerifiedSessionResponse)
  @ApiProblems({ 404: 'The `organization` does not exist, or lies where the caller may not see it.' })
  async verify(@Ctx() ctx: RequestContext, @Body() body: VerifySessionRequest): Promise<DataAnswer<VerifiedSessionResponse>> {
    return { data: await this.verification.verify(ctx, body) };
  }
}
