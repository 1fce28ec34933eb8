import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN, type RequestContext } from '#platform/common';
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

const FORBIDDEN =
  'The caller lacks permissions that the client has as scopes, or skips the consent without all permissions (`forbidden`).';

@ApiTags('OAuth clients')
@Controller('v1/organizations/:org/oauth-clients')
export class OAuthClientsController {
  constructor(private readonly clients: OAuthClientsService) {}

  @Get()
  @Requires('oauth_clients:read')
  @ApiOperation({ operationId: 'listOauthClients', summary: 'List OAuth clients' })
  @ApiList(OauthClientResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<OauthClientResponse>> {
    return listResponse(await this.clients.list(ctx, PageQuery.read(query)), OauthClientResponse.from);
  }

  @Get(':id')
  @Requires('oauth_clients:read')
  @ApiIdParam(CLIENT_PARAM)
  @ApiOperation({ operationId: 'getOauthClient', summary: 'Get an OAuth client' })
  @ApiData(OauthClientResponse, { description: 'The client.' })
  @ApiProblems({ 404: 'The organization or client does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<OauthClientResponse>> {
    const client = await this.clients.get(ctx, id);
    return withETag({ data: OauthClientResponse.from(client) }, client.version);
  }

  @Post()
  @Requires('oauth_clients:write')
  @ApiOperation({
    operationId: 'createOauthClient',
    summary: 'Create an OAuth client',
    description:
      'Creates an application with safe defaults for its type. If it authenticates with a secret, only this response contains the secret. ' +
      RECENT_SIGN_IN +
      ' Publishes `oauth_client.created`.',
  })
  @ApiData(CreatedOauthClientResponse, { status: 201, description: 'The client was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: FORBIDDEN,
    404: 'The organization does not exist.',
    409: '`oauth_client_limit`, `organization_suspended`.',
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
  @Requires('oauth_clients:write')
  @ApiIdParam(CLIENT_PARAM)
  @ApiOperation({
    operationId: 'updateOauthClient',
    summary: 'Update an OAuth client',
    description:
      'Fields that are absent from the request are not changed. ' + RECENT_SIGN_IN + ' Publishes `oauth_client.updated`.',
  })
  @ApiData(OauthClientResponse, { description: 'The updated client.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: FORBIDDEN,
    404: 'The organization or client does not exist.',
    409: '`organization_suspended`.',
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
  @Requires('oauth_clients:write')
  @ApiIdParam(CLIENT_PARAM)
  @ApiOperation({
    operationId: 'deleteOauthClient',
    summary: 'Delete an OAuth client',
    description: 'The secrets, codes and tokens of the client are no longer accepted. Publishes `oauth_client.deleted`.',
  })
  @ApiNoContentResponse({ description: 'The client was deleted.' })
  @ApiProblems({ 403: FORBIDDEN, 404: 'The organization or client does not exist.', 409: '`organization_suspended`.' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.clients.delete(ctx, id);
  }

  @Get(':client/secrets')
  @Requires('oauth_clients:read')
  @ApiIdParam(CLIENT_OF_SECRET_PARAM)
  @ApiOperation({
    operationId: 'listOauthClientSecrets',
    summary: 'List the secrets of an OAuth client',
    description: 'Returns the secrets without their values.',
  })
  @ApiList(OauthClientSecretResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization or client does not exist.' })
  async listSecrets(
    @Ctx() ctx: RequestContext,
    @Param('client') client: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<OauthClientSecretResponse>> {
    return listResponse(await this.clients.listSecrets(ctx, client, PageQuery.read(query)), OauthClientSecretResponse.from);
  }

  @Post(':client/secrets')
  @Requires('oauth_clients:write')
  @ApiIdParam(CLIENT_OF_SECRET_PARAM)
  @ApiOperation({
    operationId: 'createOauthClientSecret',
    summary: 'Create a secret of an OAuth client',
    description:
      'Only this response contains the secret. Several secrets can be valid at once. To rotate, set `previousExpireInSeconds`. ' +
      RECENT_SIGN_IN +
      ' Publishes `oauth_client.secret_created`.',
  })
  @ApiData(CreatedOauthClientSecretResponse, { status: 201, description: 'The secret was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: FORBIDDEN,
    404: 'The organization or client does not exist.',
    409: '`oauth_client_has_no_secrets`, `oauth_client_secret_limit`, `organization_suspended`.',
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
  @Requires('oauth_clients:write')
  @ApiIdParam(CLIENT_OF_SECRET_PARAM)
  @ApiIdParam(SECRET_PARAM)
  @ApiOperation({
    operationId: 'deleteOauthClientSecret',
    summary: 'Delete a secret of an OAuth client',
    description: 'The secret stops working at once. Publishes `oauth_client.secret_deleted`.',
  })
  @ApiNoContentResponse({ description: 'The secret was deleted.' })
  @ApiProblems({ 403: FORBIDDEN, 404: 'The organization or client or secret does not exist.', 409: '`organization_suspended`.' })
  async deleteSecret(@Ctx() ctx: RequestContext, @Param('client') client: string, @Param('id') id: string): Promise<void> {
    await this.clients.deleteSecret(ctx, client, id);
  }
}
