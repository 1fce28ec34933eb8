import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, OwnAccount, Post, SkipIdempotency } from '#platform/http';
import { TOO_MANY_HASHES } from '../account/problem-descriptions.js';
import { ReauthenticateWithPasswordRequest, ReauthenticateWithSecondFactorRequest } from './reauthentication.requests.js';
import { ReauthenticatedResponse, ReauthenticationResponse } from './reauthentication.responses.js';
import { ReauthenticationService } from './reauthentication.service.js';

const SENSITIVE = [
  `${RECENT_SIGN_IN_IF_SENSITIVE} Sensitive operations are:\n`,
  '- creating and rotating API keys',
  '- assigning a role that has a permission of this service other than a `read` permission (for example `owner` or `admin`), or setting such a role as the `defaultRole`',
  '- adding the permission `*` to a role, or removing the permission `*` from a role',
  '- changing how another user signs in: changing the email address, phone number or `externalId`, inviting a pending user again, starting a password reset, removing MFA factors, and unlinking an identity',
  '- trusting an identity provider: extending `trustedDomains`, enabling `mfaTrusted`, changing the `issuer` or `clientId` of a trusted provider, and enabling a trusted provider that was disabled',
  '- showing, rotating and replacing the signing secret of a webhook',
  '- changing the settings `requireMfa`, `mfaMethods`, `allowedDomains` and `allowedNetworks`',
  '- approving a break-glass request',
  '- adding an MFA factor, if the request does not contain `currentPassword`',
  '- importing and exporting users, and exporting events, access reports and all data of a user',
  '- if your account has no password: changing your own email address, phone number or password, removing your own MFA factors, generating recovery codes, and unlinking your own identities',
].join('\n');

const TOO_MANY_PROOFS =
  'There were too many wrong passwords or codes (`reauthentication_locked`). `Retry-After` contains the number of seconds to wait.';

@ApiTags('Account')
@Controller('v1/auth/reauthentication')
export class ReauthenticationController {
  constructor(private readonly reauthentication: ReauthenticationService) {}

  @Post()
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('The challenge token is returned only once.')
  @ApiOperation({
    operationId: 'beginReauthentication',
    summary: 'Start confirming your identity',
    description: `Returns how you can confirm your identity: with an MFA factor if your account has one, otherwise with your password. If your account has neither an MFA factor nor a password, the response says that you must sign in again. ${SENSITIVE}`,
  })
  @ApiData(ReauthenticationResponse)
  async start(@Ctx() ctx: RequestContext): Promise<DataResponse<ReauthenticationResponse>> {
    return { data: ReauthenticationResponse.from(await this.reauthentication.start(ctx)) };
  }

  @Post('password')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Each attempt counts.')
  @ApiOperation({
    operationId: 'reauthenticateWithPassword',
    summary: 'Confirm your identity with your password',
    description:
      'Confirms your identity with your password. Your account must have no MFA factor. The session and the session token stay the same. Five failed attempts are allowed within 15 minutes.',
  })
  @ApiData(ReauthenticatedResponse)
  @ApiProblems({
    400: 'Your account has an MFA factor, so you cannot use the password. The field `errors` contains the code `second_factor_required`.',
    403: 'The password is wrong (`current_password_wrong`).',
    429: TOO_MANY_PROOFS,
    503: TOO_MANY_HASHES,
  })
  async withPassword(
    @Ctx() ctx: RequestContext,
    @Body() { password }: ReauthenticateWithPasswordRequest,
  ): Promise<DataResponse<ReauthenticatedResponse>> {
    return { data: ReauthenticatedResponse.from(await this.reauthentication.confirmPassword(ctx, password)) };
  }

  @Post('second-factor')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Each attempt counts.')
  @ApiOperation({
    operationId: 'reauthenticateWithSecondFactor',
    summary: 'Confirm your identity with MFA',
    description:
      'Confirms your identity with one of your MFA factors. If you use an email code, an SMS code or a passkey, first call `POST /v1/auth/mfa/challenge`, which sends the code or returns the options for the passkey. The session and the session token stay the same. Five failed attempts are allowed within 15 minutes.',
  })
  @ApiData(ReauthenticatedResponse)
  @ApiProblems({
    401: 'The code or passkey is wrong (`mfa_failed`), or the challenge has expired or belongs to another session (`mfa_challenge_invalid`).',
    429: TOO_MANY_PROOFS,
    503: TOO_MANY_HASHES,
  })
  async withSecondFactor(
    @Ctx() ctx: RequestContext,
    @Body() body: ReauthenticateWithSecondFactorRequest,
  ): Promise<DataResponse<ReauthenticatedResponse>> {
    return { data: ReauthenticatedResponse.from(await this.reauthentication.confirmSecondFactor(ctx, body)) };
  }
}
