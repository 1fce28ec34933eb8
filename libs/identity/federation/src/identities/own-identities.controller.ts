import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CONFIRMATION, type RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, OwnAccount } from '#platform/http';
import { ConfirmedRequest, PASSWORD_WRONG, TOO_MANY_HASHES, TOO_MANY_PASSWORDS } from '#identity/mfa';
import { IdentitiesResponse } from './identities.responses.js';
import { LinkedIdentitiesService } from './linked-identities.service.js';

@ApiTags('Account')
@Controller('v1/auth/identities')
export class OwnIdentitiesController {
  constructor(private readonly linkedIdentities: LinkedIdentitiesService) {}

  @Get()
  @OwnAccount()
  @ApiOperation({
    operationId: 'listOwnIdentities',
    summary: 'List your linked identities',
    description:
      'Returns your linked identities. A linked identity is an account at an identity provider that you can use to sign in.',
  })
  @ApiData(IdentitiesResponse, { description: 'The linked identities.' })
  async list(@Ctx() ctx: RequestContext): Promise<DataResponse<IdentitiesResponse>> {
    return { data: IdentitiesResponse.from(await this.linkedIdentities.listOwn(ctx)) };
  }

  @Delete(':identityProviderId')
  @HttpCode(204)
  @OwnAccount()
  @ApiOperation({
    operationId: 'unlinkOwnIdentity',
    summary: 'Unlink an identity',
    description: 'Unlinks an identity from your account and ends your other sessions. Publishes `user.updated`. ' + CONFIRMATION,
  })
  @ApiIdParam({
    name: 'identityProviderId',
    description: 'Id of the identity provider.',
    example: 'idp_01kf2bh8r6e1v5y9k3m7p2t4wn',
  })
  @ApiNoContentResponse({ description: 'The identity was unlinked.' })
  @ApiProblems({
    403: PASSWORD_WRONG,
    404: 'You have no linked identity at this identity provider.',
    409: 'This is your only way to sign in (`sign_in_method_needed`).',
    429: TOO_MANY_PASSWORDS,
    503: TOO_MANY_HASHES,
  })
  async unlink(
    @Ctx() ctx: RequestContext,
    @Param('identityProviderId') identityProviderId: string,
    @Body() body: ConfirmedRequest,
  ): Promise<void> {
    await this.linkedIdentities.unlinkOwn(ctx, identityProviderId, body.currentPassword);
  }
}
