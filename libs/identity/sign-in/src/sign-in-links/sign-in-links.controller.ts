import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, ForwardsClientAddress, Post, SkipIdempotency } from '#platform/http';
import { AskedMailResponse } from '../recovery/password-reset.requests.js';
import { SignInLinksRequest } from './sign-in-links.requests.js';
import { SignInLinksService } from './sign-in-links.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth/sign-in-links')
export class SignInLinksController {
  constructor(private readonly signInLinks: SignInLinksService) {}

  @Post()
  @HttpCode(202)
  @Public('The user is not signed in yet.')
  @SkipIdempotency('It changes nothing.')
  @ForwardsClientAddress('none')
  @ApiOperation({
    operationId: 'sendSignInLinks',
    summary: 'Email the organizations of an address',
    description:
      'Sends the user with the email address an email with links to the sign-in pages of the organizations in which the user can sign in, for users who know their address but not the short name of their organization. The links sign nobody in. Sends nothing if the address has no active account. The response is always the same. An address receives at most five of these emails per hour.',
  })
  @ApiData(AskedMailResponse, { status: 202, description: 'If the account exists, an email is sent.' })
  @ApiProblems({ 400: 'The request is invalid.', 429: 'Too many requests from this IP address.' })
  async send(@Ctx() ctx: RequestContext, @Body() body: SignInLinksRequest): Promise<DataResponse<AskedMailResponse>> {
    await this.signInLinks.send(ctx, body);
    return { data: { email: body.email } };
  }
}
