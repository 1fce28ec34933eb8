import { Body, Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, OwnAccount, Post, SkipIdempotency } from '#platform/http';
import { AccessTokenResponse, IssueAccessTokenRequest } from './access-token.requests.js';
import { AccessTokensService } from './access-tokens.service.js';

@ApiTags('Account')
@Controller('v1/auth/token')
export class AccessTokensController {
  constructor(
    private readonly accessTokens: AccessTokensService,
    private readonly clock: Clock,
  ) {}

  @Post()
  @OwnAccount({ whileImpersonating: true })
  @SkipIdempotency('Each token is valid for five minutes.')
  @ApiOperation({
    operationId: 'issueAccessToken',
    summary: 'Issue an access token',
    description:
      'Returns an access token. The access token is a JWT that proves to one of your services who the signed-in user is. Your service verifies the JWT with the public keys at `/.well-known/jwks.json`. The access token is valid for up to 5 minutes and not longer than the session, even if the session is revoked in the meantime. The claim `org` is absent if the user has no role in the organization that the user signed in to. The claim `act` is present only if another user is signed in as the user for support: `act.sub` is the id of this other user. This API does not accept access tokens; use the session token instead. Access tokens for OAuth resources are issued only to OAuth clients, at `/oauth/token`.',
  })
  @ApiData(AccessTokenResponse, { status: 201, description: 'The access token was issued.' })
  @ApiProblems({ 400: 'Invalid request.', 409: '`audience_reserved`.' })
  async issue(@Ctx() ctx: RequestContext, @Body() body: IssueAccessTokenRequest): Promise<DataResponse<AccessTokenResponse>> {
    const { token, expiresAt } = await this.accessTokens.issue(ctx, body.audience);
    const expiresIn = Math.max(0, Math.floor((expiresAt.getTime() - this.clock.now().getTime()) / 1_000));
    return { data: { accessToken: token, tokenType: 'Bearer', expiresIn, expiresAt: expiresAt.toISOString() } };
  }
}
