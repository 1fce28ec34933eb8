import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import {
  ApiData,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataAnswer,
  etagged,
  type ListAnswer,
  listAnswer,
  PageQuery,
  Post,
  Requires,
} from '#http';
import { CreateIdentityProviderRequest, UpdateIdentityProviderRequest } from './identity-provider.requests.js';
import { IdentityProviderResponse } from './identity-provider.responses.js';
import { IdentityProvidersService } from './identity-providers.service.js';

const PROVIDER = { name: 'id', description: 'The identity provider.', example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd' };

@ApiTags('Identity providers')
@Controller('v1/organizations/:org/identity-providers')
export class IdentityProvidersController {
  constructor(private readonly providers: IdentityProvidersService) {}

  @Get()
  @Requires('organizations:read')
  @ApiOperation({ operationId: 'listIdentityProviders', summary: 'List identity providers' })
  @ApiList(IdentityProviderResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListAnswer<IdentityProviderResponse>> {
    return listAnswer(await this.providers.list(ctx, PageQuery.read(query)), IdentityProviderResponse.from);
  }

  @Post()
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'createIdentityProvider',
    summary: 'Add an identity provider',
    description: 'OpenID Connect; the client secret is kept encrypted and never shown again.',
  })
  @ApiData(IdentityProviderResponse, { status: 201, description: 'The identity provider was added.' })
  @ApiProblems({ 409: 'The organization has as many as it can have.' })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateIdentityProviderRequest,
  ): Promise<DataAnswer<IdentityProviderResponse>> {
    return { data: IdentityProviderResponse.from(await this.providers.create(ctx, body)) };
  }

  @Get(':id')
  @Requires('organizations:read')
  @ApiOperation({ operationId: 'getIdentityProvider', summary: 'Get an identity provider' })
  @ApiParam(PROVIDER)
  @ApiData(IdentityProviderResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<IdentityProviderResponse>> {
    const provider = await this.providers.get(ctx, id);
    return etagged({ data: IdentityProviderResponse.from(provider) }, provider.version);
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('organizations:write')
  @ApiOperation({ operationId: 'updateIdentityProvider', summary: 'Update an identity provider' })
  @ApiParam(PROVIDER)
  @ApiData(IdentityProviderResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateIdentityProviderRequest,
  ): Promise<DataAnswer<IdentityProviderResponse>> {
    const provider = await this.providers.update(ctx, id, body);
    return etagged({ data: IdentityProviderResponse.from(provider) }, provider.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('organizations:write')
  @ApiOperation({ operationId: 'deleteIdentityProvider', summary: 'Remove an identity provider' })
  @ApiParam(PROVIDER)
  @ApiNoContentResponse({ description: 'The identity provider was removed.' })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.providers.remove(ctx, id);
  }
}
