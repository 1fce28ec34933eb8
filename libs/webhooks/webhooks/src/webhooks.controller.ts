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
  withETag,
  type ListResponse,
  listResponse,
  PageQuery,
  Requires,
} from '#platform/http';
import { UpdateWebhookRequest } from './webhook.requests.js';
import { WebhookResponse } from './webhook.responses.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksService } from './webhooks.service.js';

const WEBHOOK_ID = { name: 'id', description: 'Id of the webhook.', example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' };

/** Manages webhooks by ID, without an organization in the path, in all organizations that the caller can access. */
@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecrets,
  ) {}

  @Get()
  @Requires('webhooks:read', { organization: 'none' })
  @ApiOperation({
    operationId: 'listReachableWebhooks',
    summary: 'List webhooks across organizations',
    description:
      'Returns the webhooks of all organizations that the caller can access. Signing secrets and the values of custom headers are masked.',
  })
  @ApiList(WebhookResponse)
  @ApiProblems({ 400: '`limit`, `after` or `page` is invalid.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<WebhookResponse>> {
    const page = await this.webhooks.list(ctx, PageQuery.read(query));
    return listResponse(page, (row) => WebhookResponse.from(row, this.secrets));
  }

  @Get(':id')
  @Requires('webhooks:read', { organization: 'none' })
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'getReachableWebhook',
    summary: 'Get a webhook by id',
    description: 'Same as `GET /v1/organizations/{org}/webhooks/{id}`, without the organization in the path.',
  })
  @ApiData(WebhookResponse, { description: 'The webhook.' })
  @ApiProblems({ 404: 'The webhook was not found.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<WebhookResponse>> {
    const webhook = await this.webhooks.get(ctx, id);
    return withETag({ data: WebhookResponse.from(webhook, this.secrets) }, webhook.version);
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('webhooks:write', { organization: 'none' })
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'updateReachableWebhook',
    summary: 'Update a webhook by id',
    description: 'Same as `PATCH /v1/organizations/{org}/webhooks/{id}`, without the organization in the path.',
  })
  @ApiData(WebhookResponse, { description: 'The updated webhook.' })
  @ApiProblems({
    400: 'The request is invalid, or the service is not allowed to send deliveries to `url`.',
    404: 'The webhook was not found.',
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
  @Requires('webhooks:write', { organization: 'none' })
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'deleteReachableWebhook',
    summary: 'Delete a webhook by id',
    description: 'Same as `DELETE /v1/organizations/{org}/webhooks/{id}`, without the organization in the path.',
  })
  @ApiNoContentResponse({ description: 'The webhook was deleted.' })
  @ApiProblems({ 404: 'The webhook was not found.', 409: 'The organization is suspended (`organization_suspended`).' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.webhooks.delete(ctx, id);
  }
}
