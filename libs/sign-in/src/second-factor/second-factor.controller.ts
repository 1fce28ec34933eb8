import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OpensSession, Post, SkipIdempotency } from '#http';
import { SecondFactors } from '#mfa';
import { SignInResponse } from '../sign-in.responses.js';
import { MfaChallengeRequest, MfaVerifyRequest } from './second-factor.requests.js';
import { MfaChallengeResponse } from './second-factor.responses.js';
import { SecondFactorSignIn } from './second-factor-sign-in.service.js';

const OVER = 'The challenge is over: it was met, took longer than ten minutes, or had five wrong proofs.';

/** The second step of signing in. */
@ApiTags('Sign-in')
@Public('The challenge token is the proof of the first factor.')
@SkipIdempotency('Each try counts.')
@Controller('v1/auth/mfa')
export class SecondFactorController {
  constructor(
    private readonly secondFactors: SecondFactors,
    private readonly signIn: SecondFactorSignIn,
  ) {}

  @Post('challenge')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'prepareMfa',
    summary: 'Ask for a code, or for what a passkey is to sign',
    description:
      'Not needed for authenticator apps and recovery codes. A newer code or challenge ends the one before. Codes by e-mail and SMS are sent once in 30 seconds, ten times an hour.',
  })
  @ApiData(MfaChallengeResponse)
  @ApiProblems({ 401: `${OVER} Or it does not offer this method.`, 429: 'A code was sent a moment ago, or too many were.' })
  async prepare(@Ctx() ctx: RequestContext, @Body() body: MfaChallengeRequest): Promise<DataAnswer<MfaChallengeResponse>> {
    const { challengeToken, method } = body;
    if (method === 'passkey') {
      return { data: { method, publicKey: await this.secondFactors.passkeyOptions(ctx, challengeToken) } };
    }
    const { destination, expiresAt } = await this.secondFactors.sendCode(ctx, { challengeToken, method });
    return { data: { method, destination, expiresAt: expiresAt.toISOString() } };
  }

  @Post('verify')
  @HttpCode(200)
  @OpensSession()
  @ApiOperation({
    operationId: 'verifyMfa',
    summary: 'Prove the second factor',
    description: 'Opens the session. Wrong proofs count as failed sign-ins; a challenge takes five.',
  })
  @ApiData(SignInResponse, { description: 'The session.' })
  @ApiProblems({
    401: `The proof is wrong (\`mfa_failed\`). ${OVER} (\`mfa_challenge_invalid\`)`,
    409: 'The organization is suspended or pending.',
    429: 'Too many failed sign-ins of this account from this address, or too many requests.',
    503: 'Too many passwords and codes are being checked at this moment.',
  })
  async verify(@Ctx() ctx: RequestContext, @Body() body: MfaVerifyRequest): Promise<DataAnswer<SignInResponse>> {
    const { outcome, user } = await this.signIn.verify(ctx, body);
    return { data: SignInResponse.from(outcome, user) };
  }
}
