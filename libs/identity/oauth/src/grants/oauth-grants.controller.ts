import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, type RequestContext } from '#platform/common';
import { ApiIdParam, ApiList, ApiProblems, Ctx, type ListResponse, listResponse, PageQuery, Requires } from '#platform/http';
import { GrantListsService } from './grant-lists.service.js';
import { ListOauthGrantsQuery, OauthGrantResponse } from './oauth-grant.responses.js';

export const GRANT_ID = { name: 'id', description: 'Id of the grant.', example: 'ogr_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('OAuth grants')
@Controller('v1/organizations/:org/oauth-grants')
export class OAuthGrantsController {
  constructor(private readonly grants: GrantListsService) {}

  @Get()
  @Requires('oauth_grants:read')
  @ApiOperation({
    operationId: 'listOauthGrants',
    summary: 'List OAuth grants',
    description: 'Returns what users allowed applications to do in the organization.',
  })
  @ApiList(OauthGrantResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListOauthGrantsQuery): Promise<ListResponse<OauthGrantResponse>> {
    return listResponse(await this.grants.list(ctx, query, PageQuery.read(query)), OauthGrantResponse.from);
  }

  @Delete(':id')
  @HttpCode(204)
  @AllowedWhileSuspended()
  @Requires('oauth_grants:write')
  @ApiIdParam(GRANT_ID)
  @ApiOperation({
    operationId: 'revokeOauthGrant',
    summary: 'Revoke an OAuth grant',
    description:
      'All codes and tokens of the grant stop working at once, except access tokens for other APIs, which are valid for up to 5 minutes. The caller must have every permission that the user has in the organization. Publishes `oauth_grant.revoked`.',
  })
  @ApiNoContentResponse({ description: 'The grant was revoked.' })
  @ApiProblems({
    403: 'The user has permissions that the caller does not have (`forbidden`).',
    404: 'The organization or grant does not exist.',
  })
  async revoke(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.grants.revoke(ctx, id);
  }
}
