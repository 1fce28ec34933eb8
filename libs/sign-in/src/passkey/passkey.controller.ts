import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OpensSession, Post, SkipIdempotency } from '#http';
import { REQUEST_OPTIONS } from '../second-factor/second-factor.responses.js';
import { SignInResponse } from '../sign-in.responses.js';
import { PasskeyLoginRequest, PasskeyOptionsRequest } from './passkey.requests.js';
import { PasskeySignIn } from './passkey-sign-in.service.js';

export class PasskeyOptionsResponse {
  @ApiProperty(REQUEST_OPTIONS) publicKey!: object;
}

/** Signing in with nothing but a passkey. */
@ApiTags('Sign-in')
@Public('The passkey is the proof.')
@SkipIdempotency('Each challenge is answered once.')
@Controller('v1/auth/passkey')
export class PasskeyController {
  constructor(private readonly signIn: PasskeySignIn) {}

  @Post('options')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'beginPasskeyLogin',
    summary: 'Begin to sign in with a passkey',
    description: 'Gives what `navigator.credentials.get()` needs. An organization that does not exist looks the same.',
  })
  @ApiData(PasskeyOptionsResponse)
  async begin(@Ctx() ctx: RequestContext, @Body() body: PasskeyOptionsRequest): Promise<DataAnswer<PasskeyOptionsResponse>> {
    return { data: { publicKey: await this.signIn.begin(ctx, body.organization) } };
  }

  @Post()
  @HttpCode(200)
  @OpensSession()
  @ApiOperation({
    operationId: 'loginWithPasskey',
    summary: 'Sign in with a passkey',
    description:
      'The authenticator has verified its user by PIN, finger or face, so that no further factor is asked for. The passkey names the user.',
  })
  @ApiData(SignInResponse, { description: 'The session.' })
  @ApiProblems({
    401: 'This passkey does not sign in here.',
    409: 'The organization is suspended or pending; said only when all else was right.',
  })
  async login(@Ctx() ctx: RequestContext, @Body() body: PasskeyLoginRequest): Promise<DataAnswer<SignInResponse>> {
    const { outcome, user } = await this.signIn.finish(ctx, body);
    return { data: SignInResponse.from(outcome, user) };
  }
}
