import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OwnAccount, Post, SkipIdempotency } from '#http';
import { TOO_MANY_HASHES } from '../account/answers.js';
import { ReauthenticateWithPasswordRequest, ReauthenticateWithSecondFactorRequest } from './reauthentication.requests.js';
import { ReauthenticatedResponse, ReauthenticationResponse } from './reauthentication.responses.js';
import { Reauthentication } from './reauthentication.service.js';

const SENSITIVE =
  'Creating and rotating API keys, giving a role that can change something in this service, changing how another user signs in, trusting an ' +
  'identity provider, revealing or rotating a webhook secret, changing settings that keep strangers out, approving a break glass request, adding a ' +
  'second factor, and importing and exporting users need a proof that is at most ten minutes old; a sign-in is one.';

const TOO_MANY_PROOFS = 'Too many wrong passwords or codes; `Retry-After` tells how long to wait.';

/** The signed-in user proves again who they are. */
@ApiTags('Account')
@Controller('v1/auth/reauthentication')
export class ReauthenticationController {
  constructor(private readonly reauthentication: Reauthentication) {}

  @Post()
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('A challenge is shown once.')
  @ApiOperation({
    operationId: 'beginReauthentication',
    summary: 'Start to prove again who you are',
    description: `Tells how: by a second factor where your account has one, else by your password. ${SENSITIVE} Otherwise they answer 401 \`reauthentication_required\`.`,
  })
  @ApiData(ReauthenticationResponse)
  async begin(@Ctx() ctx: RequestContext): Promise<DataAnswer<ReauthenticationResponse>> {
    return { data: ReauthenticationResponse.from(await this.reauthentication.begin(ctx)) };
  }

  @Post('password')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Each try counts.')
  @ApiOperation({
    operationId: 'reauthenticateWithPassword',
    summary: 'Prove again who you are, by your password',
    description: 'For accounts without a second factor. The session stays the same. Five wrong proofs are allowed in 15 minutes.',
  })
  @ApiData(ReauthenticatedResponse)
  @ApiProblems({
    400: 'Your account has a second factor (`second_factor_required`).',
    403: 'This is not your password.',
    429: TOO_MANY_PROOFS,
    503: TOO_MANY_HASHES,
  })
  async withPassword(
    @Ctx() ctx: RequestContext,
    @Body() { password }: ReauthenticateWithPasswordRequest,
  ): Promise<DataAnswer<ReauthenticatedResponse>> {
    return { data: ReauthenticatedResponse.from(await this.reauthentication.confirmPassword(ctx, password)) };
  }

  @Post('second-factor')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Each try counts.')
  @ApiOperation({
    operationId: 'reauthenticateWithSecondFactor',
    summary: 'Prove again who you are, by a second factor',
    description:
      'Codes by email and SMS, and what a passkey is to sign, come from `POST /v1/auth/mfa/challenge`. The session stays the same. ' +
      'Five wrong proofs are allowed in 15 minutes.',
  })
  @ApiData(ReauthenticatedResponse)
  @ApiProblems({
    401: 'The proof is wrong (`mfa_failed`), or the challenge is over or of another session (`mfa_challenge_invalid`).',
    429: TOO_MANY_PROOFS,
    503: TOO_MANY_HASHES,
  })
  async withSecondFactor(
    @Ctx() ctx: RequestContext,
    @Body() body: ReauthenticateWithSecondFactorRequest,
  ): Promise<DataAnswer<ReauthenticatedResponse>> {
    return { data: ReauthenticatedResponse.from(await this.reauthentication.confirmSecondFactor(ctx, body)) };
  }
}
