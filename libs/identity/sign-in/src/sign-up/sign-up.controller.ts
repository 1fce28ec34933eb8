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
  Post,
  SkipIdempotency,
} from '#platform/http';
import { AskedMailResponse } from '../recovery/password-reset.requests.js';
import { SignUpRequest } from './sign-up.requests.js';
import { SignUpService } from './sign-up.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth')
export class SignUpController {
  constructor(private readonly signUps: SignUpService) {}

  @Post('sign-up')
  @HttpCode(202)
  @Public('The user has no account yet.')
  @SkipIdempotency('A repeated sign-up finds the existing user.')
  @ForwardsClientAddress('organization')
  @ApiOperation({
    operationId: 'signUp',
    summary: 'Sign up',
    description:
      'Creates a pending user with the default role of the organization, and sends an email with a link that activates the user. The settings `allowPublicSignup` and `allowedDomains` of the organization must allow the sign-up. If a user with the email address in the request already exists, the response is the same, and the service sends the existing user an email with the next step, for example the invitation again (`user.invited`). Publishes `user.created`. Also publishes `user.password_changed`, because the new user has a password.',
  })
  @ApiData(AskedMailResponse, { status: 202, description: 'An email is sent.' })
  @ApiProblems({
    403: 'The organization does not allow sign-up, is not active, or does not exist (`sign_up_closed`). Or the organization requires sign-in with an identity provider (`sso_required`).',
    404: FORWARDED_ELSEWHERE,
    422: 'The organization does not allow the email domain (`domain_not_allowed`), or the password violates the password policy (`password_refused`).',
    429: 'Too many requests from this IP address.',
    503: 'The service is processing too many passwords and codes at the moment (`unavailable`). Try again after the number of seconds in `Retry-After`.',
  })
  async signUp(@Ctx() ctx: RequestContext, @Body() body: SignUpRequest): Promise<DataResponse<AskedMailResponse>> {
    await this.signUps.signUp(ctx, body);
    return { data: { email: body.email } };
  }
}
