import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse } from '#platform/http';
import { SignInOptionsQuery, SignInOptionsResponse } from './sign-in-options.requests.js';
import { SignInOptionsService } from './sign-in-options.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth/sign-in-options')
export class SignInOptionsController {
  constructor(private readonly signInOptions: SignInOptionsService) {}

  @Get()
  @Public('The user is not signed in yet.')
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
}
