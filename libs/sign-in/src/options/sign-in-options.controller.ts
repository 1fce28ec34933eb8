import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer } from '#http';
import { SignInOptionsQuery, SignInOptionsResponse } from './sign-in-options.requests.js';
import { SignInOptions } from './sign-in-options.service.js';

/** What a sign-in page has to know before anybody is signed in. */
@ApiTags('Sign-in')
@Controller('v1/auth/sign-in-options')
export class SignInOptionsController {
  constructor(private readonly options: SignInOptions) {}

  @Get()
  @Public('Whoever is about to sign in has nothing to show yet.')
  @ApiOperation({
    operationId: 'getSignInOptions',
    summary: 'Get how one signs in to an organization',
    description:
      'For sign-in pages: name and looks, the ways to sign in, whether sign-up is open, and the rules for passwords. It is the same for everybody, and tells nothing of users.',
  })
  @ApiData(SignInOptionsResponse)
  @ApiProblems({
    400: 'The parameter is missing or malformed.',
    404: 'There is no such organization.',
    429: 'Too many requests from this address.',
  })
  async get(@Ctx() ctx: RequestContext, @Query() query: SignInOptionsQuery): Promise<DataAnswer<SignInOptionsResponse>> {
    return { data: await this.options.of(ctx, query.organization) };
  }
}
