import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedInSetup, RECENT_SIGN_IN, RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
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
import { CreateWebhookRequest, RotateSecretRequest, UpdateWebhookRequest } from './webhook.requests.js';
import { CreatedWebhookResponse, WebhookResponse, WebhookSecretResponse } from './webhook.responses.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksService } from './webhooks.service.js';

const WEBHOOK_ID = { name: 'id', description: 'Id of the webhook.', example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' };

@ApiTags('Webhooks')
@Controller('v1/organizations/:org/webhooks')
export class OrganizationWebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecrets,
  ) {}

  @Post()
  @AllowedInSetup('webhook')
  @Requires('webhooks:write')
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Creates a webhook that receives the events that occur from now on. In addition to `webhooks:write`, the caller must have the permission `events:read`, because the service sends the events to the URL of the webhook. If the caller has `events:read` only through break-glass access, the caller cannot create a webhook. The response contains the full signing secret. Later, `GET /v1/organizations/{org}/webhooks/{id}/secret` returns the signing secret. ' +
      RECENT_SIGN_IN +
      ' Publishes `webhook.created`.',
  })
  @ApiData(CreatedWebhookResponse, { status: 201, description: 'The webhook, with its signing secret.' })
  @ApiProblems({
    400: 'The request is invalid, or the service is not allowed to send deliveries to `url`.',
    404: 'The organization was not found.',
    409: 'The organization already has the maximum number of webhooks (`webhook_limit`) or is suspended (`organization_suspended`).',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateWebhookRequest): Promise<DataResponse<CreatedWebhookResponse>> {
    const { webhook, secret } = await this.webhooks.create(ctx, body);
    return { data: CreatedWebhookResponse.from(webhook, secret) };
  }

  @Get()
  @AllowedInSetup('webhook')
  @Requires('webhooks:read')
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description:
      'Returns the webhooks of the organization, without those of descendant organizations. Signing secrets and the values of custom headers are masked.',
  })
  @ApiList(WebhookResponse)
  @ApiProblems({ 400: '`limit`, `after` or `page` is invalid.', 404: 'The organization was not found.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<WebhookResponse>> {
    const page = await this.webhooks.list(ctx, PageQuery.read(query));
    return listResponse(page, (row) => WebhookResponse.from(row, this.secrets));
  }

  @Get(':id')
  @AllowedInSetup('webhook')
  @Requires('webhooks:read')
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'Returns a webhook. The signing secret and the values of custom headers are masked.',
  })
  @ApiData(WebhookResponse, { description: 'The webhook.' })
  @ApiProblems({ 404: 'The organization or webhook was not found.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<WebhookResponse>> {
    const webhook = await this.webhooks.get(ctx, id);
    return withETag({ data: WebhookResponse.from(webhook, this.secrets) }, webhook.version);
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('webhooks:write')
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description:
      'Changes the fields in the request body. Requests that set `url`, `headers`, `events`, `filter`, `includeDescendants` or `enabled: true` also require the permission `events:read`. If a request that requires `events:read` changes the webhook, the caller becomes the owner of the webhook. If this caller is an API key, the owner of the API key becomes the owner of the webhook instead. If the request enables a disabled webhook, the service sends the pending deliveries of the webhook, but not the skipped deliveries. If the request disables the webhook, the service starts no new delivery attempts after the response. Setting a new `secret`, enabling the webhook, and changing `url`, `headers`, `events`, `filter` or `includeDescendants` are sensitive operations. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `webhook.updated` if anything changed.',
  })
  @ApiData(WebhookResponse, { description: 'The updated webhook.' })
  @ApiProblems({
    400: 'The request is invalid, or the service is not allowed to send deliveries to `url`.',
    404: 'The organization or webhook was not found.',
    409: 'The organization is suspended (`organization_suspended`).',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateWebhookRequest,
  ): Promise<DataResponse<WebhookResponse>> {
    const webhook = await this.webhooks.update(ctx, id, body);
    return withETag({ data: WebhookResponse.from(webhook, this.secrets) }, webhook.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @AllowedInSetup('webhook')
  @Requires('webhooks:write')
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description:
      'Deletes a webhook. Its pending deliveries are not sent. After the response, the service starts no new delivery attempts. If deliveries are in progress, the response can take up to 2 seconds. Publishes `webhook.deleted`.',
  })
  @ApiNoContentResponse({ description: 'The webhook was deleted.' })
  @ApiProblems({
    404: 'The organization or webhook was not found.',
    409: 'The organization is suspended (`organization_suspended`).',
  })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.webhooks.delete(ctx, id);
  }

  @Get(':id/secret')
  @Requires('webhooks:write')
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'getWebhookSecret',
    summary: "Get a webhook's signing secret",
    description:
      'Returns the full signing secret. Permissions from break-glass access do not count, because the secret stays known when the access ends. ' +
      RECENT_SIGN_IN +
      ' Publishes `webhook.secret_revealed`.',
  })
  @ApiData(WebhookSecretResponse, {
    description: 'The current signing secret. During a rotation, the response also contains the next signing secret.',
  })
  @ApiProblems({ 404: 'The organization or webhook was not found.' })
  async secret(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<WebhookSecretResponse>> {
    return { data: WebhookSecretResponse.from(await this.webhooks.reveal(ctx, id), this.secrets) };
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Requires('webhooks:write')
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: "Rotate a webhook's signing secret",
    description:
      'Replaces the signing secret, immediately or after `activateInSeconds`. Permissions from break-glass access do not count. Until the new secret takes effect, the service creates the header `<service>-signature` with the current secret. During this time, the header `webhook-signature` contains two signatures, one created with the current secret and one with the new secret. In the header name `<service>-signature`, `<service>` stands for the value of the environment variable `SERVICE_NAME`. A second rotation before the new secret takes effect replaces the new secret with another new secret. ' +
      RECENT_SIGN_IN +
      ' Publishes `webhook.updated` and `webhook.secret_revealed`.',
  })
  @ApiData(WebhookSecretResponse, {
    description:
      'The current signing secret. If the new secret has not taken effect yet, the response also contains the new secret.',
  })
  @ApiProblems({
    400: 'The request is invalid.',
    404: 'The organization or webhook was not found.',
    409: 'The organization is suspended (`organization_suspended`).',
  })
  async rotateSecret(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: RotateSecretRequest,
  ): Promise<DataResponse<WebhookSecretResponse>> {
    const webhook = await this.webhooks.rotateSecret(ctx, id, body.activateInSeconds ?? 0, body.secret);
    return { data: WebhookSecretResponse.from(webhook, this.secrets) };
  }
}
