import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiProblems,
  Ctx,
  type DataResponse,
  FORWARDED_ELSEWHERE,
  ForwardsClientAddress,
  OpensSession,
  Post,
  SkipIdempotency,
} from '#platform/http';
import { REQUEST_OPTIONS } from '../second-factor/second-factor.responses.js';
import { SSO_REQUIRED } from '#directory/users';
import { SignInResponse } from '../sign-in.responses.js';
import { PasskeyLoginRequest, PasskeyOptionsRequest } from './passkey.requests.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';

export class PasskeyOptionsResponse {
  @ApiProperty(REQUEST_OPTIONS) publicKey!: object;
}

@ApiTags('Sign-in')
@Public('The passkey authenticates the user.')
@SkipIdempotency('Each challenge accepts one response.')
@Controller('v1/auth/passkey')
export class PasskeyController {
  constructor(private readonly passkeySignIn: PasskeySignInService) {}

  @Post('options')
  @HttpCode(200)
  @ForwardsClientAddress('organization')
  @ApiOperation({
    operationId: 'beginPasskeyLogin',
    summary: 'Start a passkey sign-in',
    description:
      'Returns the options for `navigator.credentials.get()`. The response does not reveal whether the organization exists.',
  })
  @ApiData(PasskeyOptionsResponse)
  @ApiProblems({ 404: FORWARDED_ELSEWHERE })
  async start(@Ctx() ctx: RequestContext, @Body() body: PasskeyOptionsRequest): Promise<DataResponse<PasskeyOptionsResponse>> {
    return { data: { publicKey: await this.passkeySignIn.start(ctx, body.organization) } };
  }

  @Post()
  @HttpCode(200)
  @OpensSession()
  @ForwardsClientAddress('organization')
  @ApiOperation({
    operationId: 'loginWithPasskey',
    summary: 'Sign in with a passkey',
    description:
      'Opens a session for the user of the passkey. The user does not need another MFA factor, because the authenticator verifies the user, for example with a PIN or a fingerprint. Publishes `user.login`. If the service knows the user of the passkey but refuses the passkey, publishes `user.login_failed` instead. If the organization requires an identity provider and the user is an owner, also publishes `security.sso_bypassed`.',
  })
  @ApiData(SignInResponse, { description: 'The session.' })
  @ApiProblems({
    401: "The passkey can't be used to sign in to this organization (`passkey_refused`).",
    403: `${SSO_REQUIRED} This error is returned only if the passkey is accepted.`,
    404: FORWARDED_ELSEWHERE,
    409: 'The organization is suspended or not approved yet (`organization_suspended`, `organization_pending`). This error is returned only if the passkey is accepted.',
  })
  async login(@Ctx() ctx: RequestContext, @Body() body: PasskeyLoginRequest): Promise<DataResponse<SignInResponse>> {
    const { outcome, user } = await this.passkeySignIn.complete(ctx, body);
    return { data: SignInResponse.from(outcome, user) };
  }
}
