import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedInSetup, RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  withETag,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import type { IdentityProvider } from './identity-provider.entity.js';
import { CreateIdentityProviderRequest, UpdateIdentityProviderRequest } from './identity-provider.requests.js';
import { IdentityProviderResponse } from './identity-provider.responses.js';
import { IdentityProvidersService } from './identity-providers.service.js';

const PROVIDER = { name: 'id', description: 'Id of the identity provider.', example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd' };

const STILL_REQUIRED =
  'The setting `ssoRequired` applies to users who could not sign in with another identity provider (`identity_provider_required`).';

/** The answers to changes that only callers with more permissions, or with a recent sign-in, can make. */
const SENSITIVE_CHANGE =
  'The API key or session token is missing or invalid (`unauthenticated`), or the change is a sensitive operation and you signed in more than 10 minutes ago (`reauthentication_required`).';
const ALL_PERMISSIONS = 'The identity provider is trusted, or would become trusted, and the caller lacks all permissions (`*`)';
const LINKED_USERS = 'users who sign in with the identity provider have permissions that the caller does not have';

@ApiTags('Identity providers')
@Controller('v1/organizations/:org/identity-providers')
@AllowedInSetup('sso')
export class IdentityProvidersController {
  constructor(private readonly providers: IdentityProvidersService) {}

  @Get()
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'listIdentityProviders',
    summary: 'List identity providers',
    description: 'Returns the identity providers of the organization itself, without those of its ancestors.',
  })
  @ApiList(IdentityProviderResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<IdentityProviderResponse>> {
    const page = await this.providers.list(ctx, PageQuery.read(query));
    const unverified = await this.providers.listUnverifiedDomains(ctx, page.items);
    return listResponse(page, (provider) => IdentityProviderResponse.from(provider, unverified));
  }

  @Post()
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'createIdentityProvider',
    summary: 'Create an identity provider',
    description:
      'Creates an OpenID Connect provider, or a GitHub provider. Users of the organization and its descendants can sign in with this provider. To set `trustedDomains` or `mfaTrusted`, the caller must have all permissions (`*`) in the organization. Setting these fields is a sensitive operation. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `identity_provider.created`.',
  })
  @ApiData(IdentityProviderResponse, { status: 201, description: 'The identity provider was created.' })
  @ApiProblems({
    401: SENSITIVE_CHANGE,
    403: `The caller lacks the permission. ${ALL_PERMISSIONS} (\`forbidden\`).`,
    409: 'The organization already has 20 identity providers (`identity_provider_limit`).',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateIdentityProviderRequest,
  ): Promise<DataResponse<IdentityProviderResponse>> {
    return { data: await this.responseOf(ctx, await this.providers.create(ctx, body)) };
  }

  @Get(':id')
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'getIdentityProvider',
    summary: 'Get an identity provider',
    description: 'Returns an identity provider. The client secret is never returned.',
  })
  @ApiIdParam(PROVIDER)
  @ApiData(IdentityProviderResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<IdentityProviderResponse>> {
    const provider = await this.providers.get(ctx, id);
    return withETag({ data: await this.responseOf(ctx, provider) }, provider.version);
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'updateIdentityProvider',
    summary: 'Update an identity provider',
    description:
      'Changes the fields in the request body. An identity provider is trusted if it has `trustedDomains` or if `mfaTrusted` is true. The following changes are sensitive operations, and the caller must have all permissions (`*`) in the organization to make them:\n\n- adding a domain to `trustedDomains`\n- setting `mfaTrusted` to true\n- changing the `issuer` or `clientId` of a trusted identity provider\n- enabling a trusted identity provider that was disabled\n\nChanges after which users can no longer sign in with the identity provider need the permissions of these users. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' After a change of `issuer`, users cannot sign in with identities that are linked to the previous issuer. Publishes `identity_provider.updated`.',
  })
  @ApiIdParam(PROVIDER)
  @ApiData(IdentityProviderResponse)
  @ApiProblems({
    401: SENSITIVE_CHANGE,
    403: `The caller lacks the permission. ${ALL_PERMISSIONS}. Or ${LINKED_USERS}, and could no longer sign in with it (\`forbidden\`).`,
    409: STILL_REQUIRED,
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateIdentityProviderRequest,
  ): Promise<DataResponse<IdentityProviderResponse>> {
    const provider = await this.providers.update(ctx, id, body);
    return withETag({ data: await this.responseOf(ctx, provider) }, provider.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'deleteIdentityProvider',
    summary: 'Delete an identity provider',
    description:
      'Deletes an identity provider, and all identities that are linked to this identity provider. Users can no longer sign in with the identity provider, so the caller must have the permissions of these users. Publishes `identity_provider.deleted`.',
  })
  @ApiIdParam(PROVIDER)
  @ApiNoContentResponse({ description: 'The identity provider was deleted.' })
  @ApiProblems({ 403: `The caller lacks the permission, or ${LINKED_USERS} (\`forbidden\`).`, 409: STILL_REQUIRED })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.providers.delete(ctx, id);
  }

  private async responseOf(ctx: RequestContext, provider: IdentityProvider): Promise<IdentityProviderResponse> {
    return IdentityProviderResponse.from(provider, await this.providers.listUnverifiedDomains(ctx, [provider]));
  }
}
