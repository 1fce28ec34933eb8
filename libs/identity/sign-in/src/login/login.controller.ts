import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { SSO_REQUIRED } from '#directory/users';
import { TOO_MANY_HASHES } from '#identity/mfa';
import { SignInResponse } from '../sign-in.responses.js';
import { LoginRequest } from './login.requests.js';
import { PasswordSignInService } from './password-sign-in.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth')
export class LoginController {
  constructor(private readonly passwordSignIn: PasswordSignInService) {}

  @Post('login')
  @HttpCode(200)
  @Public('The password authenticates the user.')
  @SkipIdempotency('Each sign-in opens a new session.')
  @OpensSession()
  @ForwardsClientAddress('organization')
  @ApiOperation({
    operationId: 'login',
    summary: 'Sign in with a password',
    description:
      'Opens a session, or returns an MFA challenge. The response is the same for unknown organizations, unknown users, wrong passwords and users who are not active. After five failed sign-ins in a row from the same IP address, the account is locked for this IP address, at first for 1 minute. Publishes `user.login` or `user.login_failed`. If the organization requires an identity provider and the user is an owner, also publishes `security.sso_bypassed`.',
  })
  @ApiData(SignInResponse, { description: 'A session. If `mfaRequired` is true, an MFA challenge instead.' })
  @ApiProblems({
    401: 'The sign-in failed (`invalid_credentials`).',
    403: `${SSO_REQUIRED} This error is returned only if the password is correct.`,
    404: FORWARDED_ELSEWHERE,
    409: 'The organization is suspended or not approved yet (`organization_suspended`, `organization_pending`). This error is returned only if the password is correct.',
    429: 'There were too many failed sign-ins to this account from this IP address (`sign_in_locked`), or too many requests (`rate_limited`).',
    503: TOO_MANY_HASHES,
  })
  async login(@Ctx() ctx: RequestContext, @Body() body: LoginRequest): Promise<DataResponse<SignInResponse>> {
    const outcome = await this.passwordSignIn.login(ctx, body);
    return { data: SignInResponse.from(outcome, outcome.owner.user) };
  }
}
