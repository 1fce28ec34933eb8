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
import { CreateOauthResourceRequest, UpdateOauthResourceRequest } from './oauth-resource.requests.js';
import { OauthResourceResponse, RESOURCE_PARAM } from './oauth-resource.responses.js';
import { OAuthResourcesService } from './oauth-resources.service.js';

@ApiTags('OAuth resources')
@Controller('v1/organizations/:org/oauth-resources')
export class OAuthResourcesController {
  constructor(private readonly resources: OAuthResourcesService) {}

  @Get()
  @Requires('oauth_resources:read')
  @ApiOperation({ operationId: 'listOauthResources', summary: 'List OAuth resources' })
  @ApiList(OauthResourceResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<OauthResourceResponse>> {
    return listResponse(await this.resources.list(ctx, PageQuery.read(query)), OauthResourceResponse.from);
  }

  @Get(':id')
  @Requires('oauth_resources:read')
  @ApiIdParam(RESOURCE_PARAM)
  @ApiOperation({ operationId: 'getOauthResource', summary: 'Get an OAuth resource' })
  @ApiData(OauthResourceResponse, { description: 'The resource.' })
  @ApiProblems({ 404: 'The organization or resource does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<OauthResourceResponse>> {
    const resource = await this.resources.get(ctx, id);
    return withETag({ data: OauthResourceResponse.from(resource) }, resource.version);
  }

  @Post()
  @Requires('oauth_resources:write')
  @ApiOperation({
    operationId: 'createOauthResource',
    summary: 'Create an OAuth resource',
    description:
      'Registers an API. Its access tokens are JWTs (RFC 9068), which the API verifies with the keys at `/.well-known/jwks.json`. Publishes `oauth_resource.created`.',
  })
  @ApiData(OauthResourceResponse, { status: 201, description: 'The resource was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization does not exist.',
    409: '`oauth_resource_identifier_taken`, `oauth_resource_limit`, `organization_suspended`.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateOauthResourceRequest,
  ): Promise<DataResponse<OauthResourceResponse>> {
    return { data: OauthResourceResponse.from(await this.resources.create(ctx, body)) };
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('oauth_resources:write')
  @ApiIdParam(RESOURCE_PARAM)
  @ApiOperation({
    operationId: 'updateOauthResource',
    summary: 'Update an OAuth resource',
    description:
      'Fields that are absent from the request are not changed. To remove scopes that clients have, or to add them again, the caller needs these scopes as permissions. Publishes `oauth_resource.updated`.',
  })
  @ApiData(OauthResourceResponse, { description: 'The updated resource.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization or resource does not exist.',
    409: '`organization_suspended`.',
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
  @Requires('oauth_resources:write')
  @ApiIdParam(RESOURCE_PARAM)
  @ApiOperation({
    operationId: 'deleteOauthResource',
    summary: 'Delete an OAuth resource',
    description:
      'Clients get no more access tokens for the API. The caller needs the scopes that clients have as permissions. Publishes `oauth_resource.deleted`.',
  })
  @ApiNoContentResponse({ description: 'The resource was deleted.' })
  @ApiProblems({
    404: 'The organization or resource does not exist.',
    409: '`organization_suspended`.',
  })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.resources.delete(ctx, id);
  }
}
