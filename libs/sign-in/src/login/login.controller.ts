import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OpensSession, Post, SkipIdempotency } from '#http';
import { TOO_MANY_HASHES } from '#mfa';
import { SignInResponse } from '../sign-in.responses.js';
import { LoginRequest } from './login.requests.js';
import { PasswordSignIn } from './password-sign-in.service.js';

/** Signing in with a password. */
@ApiTags('Sign-in')
@Controller('v1/auth')
export class LoginController {
  constructor(private readonly passwordSignIn: PasswordSignIn) {}

  @Post('login')
  @HttpCode(200)
  @Public('The password is the proof.')
  @SkipIdempotency('Each sign-in opens a session of its own.')
  @OpensSession()
  @ApiOperation({
    operationId: 'login',
    summary: 'Sign in with a password',
    description:
      'Opens a session at the organization, or asks for a second factor. Unknown organization or user, wrong password, and a user who is not active are one answer. Five failures in a row lock the account for the address, for a minute at first.',
  })
  @ApiData(SignInResponse, { description: 'A session, or a challenge for the second factor (`mfaRequired`).' })
  @ApiProblems({
    401: 'This is not how this account signs in.',
    409: 'The organization is suspended or pending; said only when all else was right.',
    429: 'Too many failed sign-ins of this account from this address, or too many requests.',
    503: TOO_MANY_HASHES,
  })
  async login(@Ctx() ctx: RequestContext, @Body() body: LoginRequest): Promise<DataAnswer<SignInResponse>> {
    const outcome = await this.passwordSignIn.login(ctx, body);
    return { data: SignInResponse.from(outcome, outcome.user.user) };
  }
}
