import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiIfMatch, ApiProblems, Ctx, type DataResponse, Requires } from '#platform/http';
import { IdentitiesResponse } from './identities.responses.js';
import { LinkedIdentitiesService } from './linked-identities.service.js';

@ApiTags('Users')
@ApiIdParam({ name: 'id', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
@Controller('v1/organizations/:org/users/:id/identities')
export class UserIdentitiesController {
  constructor(private readonly linkedIdentities: LinkedIdentitiesService) {}

  @Get()
  @Requires('users:read')
  @ApiOperation({
    operationId: 'listUserIdentities',
    summary: "List a user's linked identities",
    description:
      'Returns the linked identities of the user. A linked identity is an account at an identity provider that the user can use to sign in.',
  })
  @ApiData(IdentitiesResponse, { description: 'The linked identities.' })
  @ApiProblems({
    403: 'The caller does not have access to the organization that manages the user (`managed_elsewhere`), or lacks the required permission (`forbidden`).',
    404: 'The user was not found.',
  })
  async list(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<IdentitiesResponse>> {
    return { data: IdentitiesResponse.from(await this.linkedIdentities.list(ctx, id)) };
  }

  @Delete(':identityProviderId')
  @HttpCode(204)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'unlinkUserIdentity',
    summary: "Unlink a user's identity",
    description:
      'Unlinks an identity from a user, ends all sessions of the user and invalidates the unused links that the service emailed to the user. If the user has no other way to sign in, start a password reset or send an invitation. The caller must have every permission that the user has. ' +
      RECENT_SIGN_IN +
      ' Publishes `user.updated`.',
  })
  @ApiIdParam({
    name: 'identityProviderId',
    description: 'Id of the identity provider.',
    example: 'idp_01kf2bh8r6e1v5y9k3m7p2t4wn',
  })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'The identity was unlinked.' })
  @ApiProblems({
    403: 'The caller does not have access to the organization that manages the user (`managed_elsewhere`). Or the caller lacks the required permission, the user has permissions that the caller does not have, or the caller is the user (`forbidden`).',
    404: 'The user was not found, or has no linked identity at this identity provider.',
  })
  async unlink(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('identityProviderId') identityProviderId: string,
  ): Promise<void> {
    await this.linkedIdentities.unlink(ctx, id, identityProviderId);
  }
}
