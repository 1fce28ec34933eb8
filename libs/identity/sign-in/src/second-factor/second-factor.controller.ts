import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiProblems,
  Ctx,
  type DataResponse,
  ForwardsClientAddress,
  OpensSession,
  Post,
  SkipIdempotency,
} from '#platform/http';
import { ChallengeProofsService } from '#identity/mfa';
import { SSO_REQUIRED } from '#directory/users';
import { SignInResponse } from '../sign-in.responses.js';
import { MfaChallengeRequest, MfaVerifyRequest } from './second-factor.requests.js';
import { MfaChallengeResponse } from './second-factor.responses.js';
import { SecondFactorSignInService } from './second-factor-sign-in.service.js';

@ApiTags('Sign-in')
@Public('The challenge token proves the first factor.')
@SkipIdempotency('Each attempt counts.')
@Controller('v1/auth/mfa')
export class SecondFactorController {
  constructor(
    private readonly challengeProofs: ChallengeProofsService,
    private readonly secondFactorSignIn: SecondFactorSignInService,
  ) {}

  @Post('challenge')
  @HttpCode(200)
  @ForwardsClientAddress('challengeToken')
  @ApiOperation({
    operationId: 'prepareMfa',
    summary: 'Prepare an MFA challenge',
    description:
      'Sends a code by email or SMS, or returns the options for a passkey. You do not need this operation for authenticator apps and recovery codes. A new code replaces the previous code, and new options replace the previous options. By email, each user can get one code every 30 seconds and at most 10 codes per hour. For SMS, the same limits apply separately. These codes do not count toward other limits for emails.',
  })
  @ApiData(MfaChallengeResponse)
  @ApiProblems({
    401: 'The challenge was completed, has expired after 10 minutes, had five failed attempts, or does not offer the `method` in the request (`mfa_challenge_invalid`).',
    429: 'A code was sent less than 30 seconds ago, or ten codes were sent within an hour (`mfa_code_limit`).',
  })
  async prepare(@Ctx() ctx: RequestContext, @Body() body: MfaChallengeRequest): Promise<DataResponse<MfaChallengeResponse>> {
    const { challengeToken, method } = body;
    if (method === 'passkey') {
      return { data: { method, publicKey: await this.challengeProofs.createPasskeyOptions(ctx, challengeToken) } };
    }
    const { destination, expiresAt } = await this.challengeProofs.sendCode(ctx, { challengeToken, method });
    return { data: { method, destination, expiresAt: expiresAt.toISOString() } };
  }

  @Post('verify')
  @HttpCode(200)
  @OpensSession()
  @ForwardsClientAddress('challengeToken')
  @ApiOperation({
    operationId: 'verifyMfa',
    summary: 'Verify an MFA factor',
    description:
      'Completes the MFA challenge of a sign-in and opens a session. Failed attempts count as failed sign-ins. A challenge allows five failed attempts. Publishes `user.login` or `user.login_failed`. If the organization requires an identity provider and the user is an owner, also publishes `security.sso_bypassed`.',
  })
  @ApiData(SignInResponse, { description: 'The session.' })
  @ApiProblems({
    401: 'The code or passkey is wrong (`mfa_failed`). Or the challenge was completed, has expired after 10 minutes, or had five failed attempts (`mfa_challenge_invalid`).',
    403: `${SSO_REQUIRED} This error is returned only after a correct factor.`,
    409: 'The organization is suspended or not approved yet (`organization_suspended`, `organization_pending`).',
    429: 'There were too many failed sign-ins to this account from this IP address (`sign_in_locked`), or too many requests (`rate_limited`).',
    503: 'The service is processing too many passwords and codes at the moment (`unavailable`). Try again after the number of seconds in `Retry-After`.',
  })
  async verify(@Ctx() ctx: RequestContext, @Body() body: MfaVerifyRequest): Promise<DataResponse<SignInResponse>> {
    const { outcome, user } = await this.secondFactorSignIn.verify(ctx, body);
    return { data: SignInResponse.from(outcome, user) };
  }
}
