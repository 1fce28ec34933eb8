import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
  withETag,
} from '#platform/http';
import { ONLY_PLATFORM } from '../clients/oauth-client-errors.js';
import { CreateOauthResourceRequest, UpdateOauthResourceRequest } from './oauth-resource.requests.js';
import { OauthResourceResponse, RESOURCE_PARAM } from './oauth-resource.responses.js';
import { OAuthResourcesService } from './oauth-resources.service.js';

@ApiTags('OAuth resources')
@Controller('v1/oauth-resources')
export class PlatformResourcesController {
  constructor(private readonly resources: OAuthResourcesService) {}

  @Get()
  @Requires('oauth_resources:read', { organization: 'none' })
  @ApiOperation({ operationId: 'listPlatformOauthResources', summary: 'List OAuth resources of the platform' })
  @ApiList(OauthResourceResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 403: ONLY_PLATFORM })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<OauthResourceResponse>> {
    return listResponse(await this.resources.list(ctx, PageQuery.read(query)), OauthResourceResponse.from);
  }

  @Get(':id')
  @Requires('oauth_resources:read', { organization: 'none' })
  @ApiIdParam(RESOURCE_PARAM)
  @ApiOperation({ operationId: 'getPlatformOauthResource', summary: 'Get an OAuth resource of the platform' })
  @ApiData(OauthResourceResponse, { description: 'The resource.' })
  @ApiProblems({ 403: ONLY_PLATFORM, 404: 'The resource does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<OauthResourceResponse>> {
    const resource = await this.resources.get(ctx, id);
    return withETag({ data: OauthResourceResponse.from(resource) }, resource.version);
  }

  @Post()
  @Requires('oauth_resources:write', { organization: 'none' })
  @ApiOperation({
    operationId: 'createPlatformOauthResource',
    summary: 'Create an OAuth resource of the platform',
    description:
      'Registers an API. Its access tokens are JWTs (RFC 9068), which the API verifies with the keys at `/.well-known/jwks.json`.',
  })
  @ApiData(OauthResourceResponse, { status: 201, description: 'The resource was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: ONLY_PLATFORM,
    409: '`oauth_resource_identifier_taken`, `oauth_resource_limit`.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateOauthResourceRequest,
  ): Promise<DataResponse<OauthResourceResponse>> {
    return { data: OauthResourceResponse.from(await this.resources.create(ctx, body)) };
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('oauth_resources:write', { organization: 'none' })
  @ApiIdParam(RESOURCE_PARAM)
  @ApiOperation({
    operationId: 'updatePlatformOauthResource',
    summary: 'Update an OAuth resource of the platform',
    description: 'Fields that are absent from the request are not changed.',
  })
  @ApiData(OauthResourceResponse, { description: 'The updated resource.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: ONLY_PLATFORM,
    404: 'The resource does not exist.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateOauthResourceRequest,
  ): Promise<DataResponse<OauthResourceResponse>> {
    const resource = await this.resources.update(ctx, id, body);
    return withETag({ data: OauthResourceResponse.from(resource) }, resource.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('oauth_resources:write', { organization: 'none' })
  @ApiIdParam(RESOURCE_PARAM)
  @ApiOperation({
    operationId: 'deletePlatformOauthResource',
    summary: 'Delete an OAuth resource of the platform',
    description: 'Clients get no more access tokens for the API.',
  })
  @ApiNoContentResponse({ description: 'The resource was deleted.' })
  @ApiProblems({
    403: ONLY_PLATFORM,
    404: 'The resource does not exist.',
  })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.resources.delete(ctx, id);
  }
}
