import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, OwnAccount } from '#platform/http';
import { GrantListsService } from './grant-lists.service.js';
import { OauthGrantResponse } from './oauth-grant.responses.js';
import { GRANT_ID } from './oauth-grants.controller.js';

@ApiTags('Account')
@Controller('v1/auth/oauth-grants')
export class OwnGrantsController {
  constructor(private readonly grants: GrantListsService) {}

  @Get()
  @OwnAccount()
  @ApiOperation({
    operationId: 'listOwnOauthGrants',
    summary: 'List your connected applications',
    description: 'Returns what the signed-in user allowed applications to do, in all organizations.',
  })
  @ApiData([OauthGrantResponse])
  async list(@Ctx() ctx: RequestContext): Promise<DataResponse<OauthGrantResponse[]>> {
    return { data: (await this.grants.listOwn(ctx)).map(OauthGrantResponse.from) };
  }

  @Delete(':id')
  @HttpCode(204)
  @OwnAccount()
  @ApiIdParam(GRANT_ID)
  @ApiOperation({
    operationId: 'revokeOwnOauthGrant',
    summary: 'Disconnect an application',
    description:
      'The application must ask again before it can act for you. Its codes and tokens stop working at once. Publishes `oauth_grant.revoked`.',
  })
  @ApiNoContentResponse({ description: 'The application was disconnected.' })
  @ApiProblems({ 404: 'The grant does not exist.' })
  async revoke(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.grants.revokeOwn(ctx, id);
  }
}
