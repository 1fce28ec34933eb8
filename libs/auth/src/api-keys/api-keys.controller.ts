import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Clock, type RequestContext } from '#common';
import { ApiData, ApiList, Ctx, type DataAnswer, type ListAnswer, listAnswer, PageQuery, Post, Requires } from '#http';
import { CreateApiKeyRequest, RotateApiKeyRequest } from './api-key.requests.js';
import { ApiKeyResponse, NewApiKeyResponse } from './api-key.responses.js';
import { ApiKeysService } from './api-keys.service.js';

const KEY_ID_PARAM = { name: 'id', description: 'The id of the API key.', example: 'key_01kf0000000000000000000000' };

@ApiTags('API keys')
@Controller('v1/organizations/:org/api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Requires('api_keys:write')
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: 'The answer shows the key, this once.',
  })
  @ApiData(NewApiKeyResponse, { status: 201, description: 'The new key.' })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateApiKeyRequest): Promise<DataAnswer<NewApiKeyResponse>> {
    const { name, scopes, expiresAt, allowedNetworks } = body;
    const { apiKey, key } = await this.keys.create(ctx, {
      name,
      scopes,
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
      allowedNetworks: allowedNetworks ?? null,
    });
    return { data: NewApiKeyResponse.of(apiKey, key, this.clock.now()) };
  }

  @Get()
  @Requires('api_keys:read')
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List the API keys of an organization',
    description: 'Without those revoked.',
  })
  @ApiList(ApiKeyResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListAnswer<ApiKeyResponse>> {
    const now = this.clock.now();
    return listAnswer(await this.keys.list(ctx, PageQuery.read(query)), (key) => ApiKeyResponse.from(key, now));
  }

  @Get(':id')
  @Requires('api_keys:read')
  @ApiParam(KEY_ID_PARAM)
  @ApiOperation({ operationId: 'getApiKey', summary: 'Get an API key', description: 'Never the key itself.' })
  @ApiData(ApiKeyResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<ApiKeyResponse>> {
    return { data: ApiKeyResponse.from(await this.keys.get(ctx, id), this.clock.now()) };
  }

  @Post(':id/rotate')
  @Requires('api_keys:write')
  @ApiParam(KEY_ID_PARAM)
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Rotate an API key',
    description:
      'Makes a new key with the same name, scopes and expiry. The old one ends at once, or after the overlap asked for.',
  })
  @ApiData(NewApiKeyResponse, { status: 201, description: 'The new key.' })
  async rotate(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: RotateApiKeyRequest,
  ): Promise<DataAnswer<NewApiKeyResponse>> {
    const { apiKey, key } = await this.keys.rotate(ctx, id, body.expiresInSeconds ?? 0);
    return { data: NewApiKeyResponse.of(apiKey, key, this.clock.now()) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('api_keys:write')
  @ApiParam(KEY_ID_PARAM)
  @ApiOperation({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'It stops working everywhere within a second.',
  })
  @ApiNoContentResponse({ description: 'Revoked.' })
  async revoke(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.keys.revoke(ctx, id);
  }
}
