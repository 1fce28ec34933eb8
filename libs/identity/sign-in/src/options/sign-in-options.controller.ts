import { Body, Controller, Get, HttpCode, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, ForwardsClientAddress, Post, SkipIdempotency } from '#platform/http';
import {
  DiscoveredSignInResponse,
  DiscoverSignInRequest,
  SignInOptionsQuery,
  SignInOptionsResponse,
} from './sign-in-options.requests.js';
import { SignInOptionsService } from './sign-in-options.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth/sign-in-options')
export class SignInOptionsController {
  constructor(private readonly signInOptions: SignInOptionsService) {}

  @Get()
  @Public('The user is not signed in yet.')
  @ForwardsClientAddress('organization')
  @ApiOperation({
    operationId: 'getSignInOptions',
    summary: 'Get sign-in options',
    description:
      'Returns what a sign-in page needs: the name and branding of the organization, the sign-in methods, whether sign-up is open, and the password rules. The response is the same for everyone and contains no information about users.',
  })
  @ApiData(SignInOptionsResponse)
  @ApiProblems({
    400: 'The parameter `organization` is missing or invalid.',
    404: 'The organization was not found.',
    429: 'Too many requests from this IP address.',
  })
  async get(@Ctx() ctx: RequestContext, @Query() query: SignInOptionsQuery): Promise<DataResponse<SignInOptionsResponse>> {
    return { data: await this.signInOptions.get(ctx, query.organization) };
  }

  @Post()
  @HttpCode(200)
  @Public('The user is not signed in yet.')
  @SkipIdempotency('It changes nothing.')
  @ForwardsClientAddress('none')
  @ApiOperation({
    operationId: 'discoverSignIn',
    summary: 'Find the organization of an email address',
    description:
      'Returns the organization that has verified the domain of the email address, and its identity provider. The response depends only on the domain, so that it does not reveal whether the account exists.',
  })
  @ApiData(DiscoveredSignInResponse, { description: 'The organization of the domain, or null.' })
  @ApiProblems({ 400: 'The field `email` is missing or invalid.', 429: 'Too many requests from this IP address.' })
  async discover(
    @Ctx() ctx: RequestContext,
    @Body() { email }: DiscoverSignInRequest,
  ): Promise<DataResponse<DiscoveredSignInResponse>> {
    return { data: await this.signInOptions.discover(ctx, email) };
  }
}
