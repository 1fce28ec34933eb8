import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OwnAccount } from '#http';
import { ConfirmedRequest, NEEDS_PASSWORD, TOO_MANY_HASHES, TOO_MANY_PASSWORDS } from '#mfa';
import { Identities } from './identities.service.js';
import { IdentitiesResponse } from './identities.responses.js';

/** The identity providers that the signed-in user is linked to. */
@ApiTags('Account')
@Controller('v1/auth/identities')
export class OwnIdentitiesController {
  constructor(private readonly identities: Identities) {}

  @Get()
  @OwnAccount()
  @ApiOperation({ operationId: 'listOwnIdentities', summary: 'List the identities that the signed-in user signs in with' })
  @ApiData(IdentitiesResponse, { description: 'The identities.' })
  async list(@Ctx() ctx: RequestContext): Promise<DataAnswer<IdentitiesResponse>> {
    return { data: IdentitiesResponse.from(await this.identities.listOwn(ctx)) };
  }

  @Delete(':identityProviderId')
  @HttpCode(204)
  @OwnAccount()
  @ApiOperation({
    operationId: 'unlinkOwnIdentity',
    summary: 'Unlink the signed-in user from an identity provider',
    description: 'Your other sessions end.',
  })
  @ApiParam({ name: 'identityProviderId', description: 'The identity provider.', example: 'idp_01kf2bh8r6e1v5y9k3m7p2t4wn' })
  @ApiNoContentResponse({ description: 'Unlinked.' })
  @ApiProblems({
    403: NEEDS_PASSWORD,
    404: 'You are not linked to such a provider.',
    409: 'You would have no way to sign in any more.',
    429: TOO_MANY_PASSWORDS,
    503: TOO_MANY_HASHES,
  })
  async unlink(
    @Ctx() ctx: RequestContext,
    @Param('identityProviderId') identityProviderId: string,
    @Body() body: ConfirmedRequest,
  ): Promise<void> {
    await this.identities.unlinkOwn(ctx, identityProviderId, body.currentPassword);
  }
}
