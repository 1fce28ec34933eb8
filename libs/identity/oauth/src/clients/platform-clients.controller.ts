import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#platform/common';
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
import { ONLY_PLATFORM } from './oauth-client-errors.js';
import { CreateOauthClientRequest, CreateOauthClientSecretRequest, UpdateOauthClientRequest } from './oauth-client.requests.js';
import {
  CLIENT_OF_SECRET_PARAM,
  CLIENT_PARAM,
  CreatedOauthClientResponse,
  CreatedOauthClientSecretResponse,
  OauthClientResponse,
  OauthClientSecretResponse,
  SECRET_PARAM,
} from './oauth-client.responses.js';
import { OAuthClientsService } from './oauth-clients.service.js';

@ApiTags('OAuth clients')
@Controller('v1/oauth-clients')
export class PlatformClientsController {
  constructor(private readonly clients: OAuthClientsService) {}

  @Get()
  @Requires('oauth_clients:read', { organization: 'none' })
  @ApiOperation({ operationId: 'listPlatformOauthClients', summary: 'List OAuth clients of the platform' })
  @ApiList(OauthClientResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 403: ONLY_PLATFORM })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<OauthClientResponse>> {
    return listResponse(await this.clients.list(ctx, PageQuery.read(query)), OauthClientResponse.from);
  }

  @Get(':id')
  @Requires('oauth_clients:read', { organization: 'none' })
  @ApiIdParam(CLIENT_PARAM)
  @ApiOperation({ operationId: 'getPlatformOauthClient', summary: 'Get an OAuth client of the platform' })
  @ApiData(OauthClientResponse, { description: 'The client.' })
  @ApiProblems({ 403: ONLY_PLATFORM, 404: 'The client does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<OauthClientResponse>> {
    const client = await this.clients.get(ctx, id);
    return withETag({ data: OauthClientResponse.from(client) }, client.version);
  }

  @Post()
  @Requires('oauth_clients:write', { organization: 'none' })
  @ApiOperation({
    operationId: 'createPlatformOauthClient',
    summary: 'Create an OAuth client of the platform',
    description:
      'Creates an application with safe defaults for its type. If it authenticates with a secret, only this response contains the secret.',
  })
  @ApiData(CreatedOauthClientResponse, { status: 201, description: 'The client was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: ONLY_PLATFORM,
    409: '`oauth_client_limit`.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateOauthClientRequest,
  ): Promise<DataResponse<CreatedOauthClientResponse>> {
    const { client, secret } = await this.clients.create(ctx, body);
    return { data: CreatedOauthClientResponse.of(client, secret) };
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('oauth_clients:write', { organization: 'none' })
  @ApiIdParam(CLIENT_PARAM)
  @ApiOperation({
    operationId: 'updatePlatformOauthClient',
    summary: 'Update an OAuth client of the platform',
    description: 'Fields that are absent from the request are not changed.',
  })
  @ApiData(OauthClientResponse, { description: 'The updated client.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: ONLY_PLATFORM,
    404: 'The client does not exist.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateOauthClientRequest,
  ): Promise<DataResponse<OauthClientResponse>> {
    const client = await this.clients.update(ctx, id, body);
    return withETag({ data: OauthClientResponse.from(client) }, client.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('oauth_clients:write', { organization: 'none' })
  @ApiIdParam(CLIENT_PARAM)
  @ApiOperation({
    operationId: 'deletePlatformOauthClient',
    summary: 'Delete an OAuth client of the platform',
    description: 'The secrets, codes and tokens of the client are no longer accepted.',
  })
  @ApiNoContentResponse({ description: 'The client was deleted.' })
  @ApiProblems({ 403: ONLY_PLATFORM, 404: 'The client does not exist.' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.clients.delete(ctx, id);
  }

  @Get(':client/secrets')
  @Requires('oauth_clients:read', { organization: 'none' })
  @ApiIdParam(CLIENT_OF_SECRET_PARAM)
  @ApiOperation({
    operationId: 'listPlatformOauthClientSecrets',
    summary: 'List the secrets of an OAuth client of the platform',
    description: 'Returns the secrets without their values.',
  })
  @ApiList(OauthClientSecretResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 403: ONLY_PLATFORM, 404: 'The client does not exist.' })
  async listSecrets(
    @Ctx() ctx: RequestContext,
    @Param('client') client: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<OauthClientSecretResponse>> {
    return listResponse(await this.clients.listSecrets(ctx, client, PageQuery.read(query)), OauthClientSecretResponse.from);
  }

  @Post(':client/secrets')
  @Requires('oauth_clients:write', { organization: 'none' })
  @ApiIdParam(CLIENT_OF_SECRET_PARAM)
  @ApiOperation({
    operationId: 'createPlatformOauthClientSecret',
    summary: 'Create a secret of an OAuth client of the platform',
    description:
      'Only this response contains the secret. Several secrets can be valid at once. To rotate, set `previousExpireInSeconds`.',
  })
  @ApiData(CreatedOauthClientSecretResponse, { status: 201, description: 'The secret was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: ONLY_PLATFORM,
    404: 'The client does not exist.',
    409: '`oauth_client_has_no_secrets`, `oauth_client_secret_limit`.',
  })
  async createSecret(
    @Ctx() ctx: RequestContext,
    @Param('client') client: string,
    @Body() body: CreateOauthClientSecretRequest,
  ): Promise<DataResponse<CreatedOauthClientSecretResponse>> {
    const { stored, secret } = await this.clients.createSecret(ctx, client, body);
    return { data: CreatedOauthClientSecretResponse.of(stored, secret) };
  }

  @Delete(':client/secrets/:id')
  @HttpCode(204)
  @Requires('oauth_clients:write', { organization: 'none' })
  @ApiIdParam(CLIENT_OF_SECRET_PARAM)
  @ApiIdParam(SECRET_PARAM)
  @ApiOperation({
    operationId: 'deletePlatformOauthClientSecret',
    summary: 'Delete a secret of an OAuth client of the platform',
    description: 'The secret stops working at once.',
  })
  @ApiNoContentResponse({ description: 'The secret was deleted.' })
  @ApiProblems({ 403: ONLY_PLATFORM, 404: 'The client or secret does not exist.' })
  async deleteSecret(@Ctx() ctx: RequestContext, @Param('client') client: string, @Param('id') id: string): Promise<void> {
    await this.clients.deleteSecret(ctx, client, id);
  }
}
