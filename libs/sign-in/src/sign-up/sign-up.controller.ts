import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, SkipIdempotency } from '#http';
import { AskedMailResponse } from '../recovery/recovery.requests.js';
import { SignUpRequest } from './sign-up.requests.js';
import { SignUps } from './sign-up.service.js';

/** Making an account for oneself. */
@ApiTags('Sign-in')
@Controller('v1/auth')
export class SignUpController {
  constructor(private readonly signUps: SignUps) {}

  @Post('sign-up')
  @HttpCode(202)
  @Public('Whoever signs up has no account yet.')
  @SkipIdempotency('The address is taken after the first time.')
  @ApiOperation({
    operationId: 'signUp',
    summary: 'Sign up',
    description:
      'Where the organization allows it (`allowPublicSignup`, `allowedDomains`): makes a pending user with its `defaultRole` and sends a mail with a link, which makes the user active. The answer is the same for an address that has an account already; its owner gets a mail that says so.',
  })
  @ApiData(AskedMailResponse, { status: 202, description: 'A mail is on its way.' })
  @ApiProblems({
    403: 'The organization takes no sign-ups, or is not known.',
    422: "The e-mail address's domain is not allowed here, or the password breaks the organization's policy.",
    429: 'Too many requests from this address.',
    503: 'Too many passwords are being hashed at this moment.',
  })
  async signUp(@Ctx() ctx: RequestContext, @Body() body: SignUpRequest): Promise<DataAnswer<AskedMailResponse>> {
    await this.signUps.signUp(ctx, body);
    return { data: { email: body.email } };
  }
}
