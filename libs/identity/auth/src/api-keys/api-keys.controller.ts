import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { CreateApiKeyRequest, RotateApiKeyRequest } from './api-key.requests.js';
import { ApiKeyResponse, CreatedApiKeyResponse } from './api-key.responses.js';
import { ApiKeysService } from './api-keys.service.js';

const KEY_ID_PARAM = { name: 'id', description: 'Id of the API key.', example: 'key_01kf0000000000000000000000' };

@ApiTags('API keys')
@Controller('v1/organizations/:org/api-keys')
export class ApiKeysController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Requires('api_keys:write')
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Creates an API key for the organization and its descendants. Only this response contains the secret value of the API key. The caller must have all permissions in `scopes`. ' +
      RECENT_SIGN_IN +
      ' If you use an existing API key to create a new API key, the new API key cannot expire later than the existing API key. The new API key also cannot work from networks that the existing API key does not allow. Publishes `security.api_key_created`.',
  })
  @ApiData(CreatedApiKeyResponse, { status: 201, description: 'The API key was created.' })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateApiKeyRequest): Promise<DataResponse<CreatedApiKeyResponse>> {
    const { name, scopes, expiresAt, allowedNetworks } = body;
    const { apiKey, key } = await this.apiKeys.create(ctx, {
      name,
      scopes,
      expiresAt: expiresAt ?? null,
      allowedNetworks: allowedNetworks ?? null,
    });
    return { data: CreatedApiKeyResponse.of(apiKey, key, this.clock.now()) };
  }

  @Get()
  @Requires('api_keys:read')
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'Returns the API keys of the organization, without their secret values. Revoked API keys are not returned.',
  })
  @ApiList(ApiKeyResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<ApiKeyResponse>> {
    const now = this.clock.now();
    return listResponse(await this.apiKeys.list(ctx, PageQuery.read(query)), (key) => ApiKeyResponse.from(key, now));
  }

  @Get(':id')
  @Requires('api_keys:read')
  @ApiIdParam(KEY_ID_PARAM)
  @ApiOperation({
    operationId: 'getApiKey',
    summary: 'Get an API key',
    description: 'Returns the details of an API key, without its secret value. Returns 404 for a revoked API key.',
  })
  @ApiData(ApiKeyResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ApiKeyResponse>> {
    return { data: ApiKeyResponse.from(await this.apiKeys.get(ctx, id), this.clock.now()) };
  }

  @Post(':id/rotate')
  @Requires('api_keys:write')
  @ApiIdParam(KEY_ID_PARAM)
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Rotate an API key',
    description:
      'Creates a new API key with the same name, scopes and allowed networks as the previous API key. The new API key also has the same expiry, unless the setting `maxApiKeyLifetime` requires an earlier expiry, or you send the request with an API key that expires earlier. The previous API key stops working immediately, or after `expiresInSeconds`. The caller must have all permissions in the `scopes` of the API key. ' +
      RECENT_SIGN_IN +
      ' Returns 409 `api_key_expired` if the previous API key has expired, and 409 `api_key_already_rotated` if the previous API key was already rotated. Publishes `security.api_key_created` and `security.api_key_revoked`.',
  })
  @ApiData(CreatedApiKeyResponse, { status: 201, description: 'The API key was created.' })
  async rotate(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: RotateApiKeyRequest,
  ): Promise<DataResponse<CreatedApiKeyResponse>> {
    const { apiKey, key } = await this.apiKeys.rotate(ctx, id, body.expiresInSeconds ?? 0);
    return { data: CreatedApiKeyResponse.of(apiKey, key, this.clock.now()) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('api_keys:write')
  @ApiIdParam(KEY_ID_PARAM)
  @ApiOperation({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'Revokes an API key. The caller needs the scopes of the key, unless the key belongs to the caller. The key stops working on all instances of the service within one second. Publishes `security.api_key_revoked`.',
  })
  @ApiNoContentResponse({ description: 'The API key was revoked.' })
  async revoke(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.apiKeys.revoke(ctx, id);
  }
}
