import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiIfMatch, ApiProblems, Ctx, type DataAnswer, Requires } from '#http';
import { Identities } from './identities.service.js';
import { IdentitiesResponse } from './identities.responses.js';

/** The identity providers that a user is linked to, for administrators. */
@ApiTags('Users')
@ApiParam({ name: 'id', description: 'The user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
@Controller('v1/organizations/:org/users/:id/identities')
export class UserIdentitiesController {
  constructor(private readonly identities: Identities) {}

  @Get()
  @Requires('users:read')
  @ApiOperation({ operationId: 'listUserIdentities', summary: 'List the identities that a user signs in with' })
  @ApiData(IdentitiesResponse, { description: 'The identities.' })
  @ApiProblems({ 403: 'The permission is missing, or the user is managed by another organization.', 404: 'No such user.' })
  async list(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<IdentitiesResponse>> {
    return { data: IdentitiesResponse.from(await this.identities.list(ctx, id)) };
  }

  @Delete(':identityProviderId')
  @HttpCode(204)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'unlinkUserIdentity',
    summary: 'Unlink a user from an identity provider',
    description:
      'All sessions of the user end, and links that were mailed are void. A password or an invitation is another way to sign in.',
  })
  @ApiParam({ name: 'identityProviderId', description: 'The identity provider.', example: 'idp_01kf2bh8r6e1v5y9k3m7p2t4wn' })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'Unlinked.' })
  @ApiProblems({
    403: 'The user is managed by another organization, or may do more than the caller.',
    404: 'No such user, or not linked to such a provider.',
  })
  async unlink(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('identityProviderId') identityProviderId: string,
  ): Promise<void> {
    await this.identities.unlink(ctx, id, identityProviderId);
  }
}
