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
import { CreateWebhookRequest, RotateSecretRequest, UpdateWebhookRequest } from './webhook.requests.js';
import { CreatedWebhookResponse, WebhookResponse, WebhookSecretResponse } from './webhook.responses.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksService } from './webhooks.service.js';

const WEBHOOK_ID = { name: 'id', description: "The webhook's id.", example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' };

@ApiTags('Webhooks')
@Controller('v1/organizations/:org/webhooks')
export class OrganizationWebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecrets,
  ) {}

  @Post()
  @Requires('webhooks:write')
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'The only answer, beside `…/secret`, that shows the secret. Needs the permission `events:read`, too, since events are sent to the URL.',
  })
  @ApiData(CreatedWebhookResponse, { status: 201, description: 'The webhook, with its secret.' })
  @ApiProblems({
    400: 'Invalid, or a URL that deliveries may not reach.',
    404: 'No such organization.',
    409: '`webhook_limit`, `organization_suspended`.',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateWebhookRequest): Promise<DataAnswer<CreatedWebhookResponse>> {
    const { webhook, secret } = await this.webhooks.create(ctx, body);
    return { data: CreatedWebhookResponse.from(webhook, secret) };
  }

  @Get()
  @Requires('webhooks:read')
  @ApiOperation({ operationId: 'listWebhooks', summary: "List an organization's webhooks" })
  @ApiList(WebhookResponse)
  @ApiProblems({ 400: 'A bad limit or cursor.', 404: 'No such organization.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListAnswer<WebhookResponse>> {
    const page = await this.webhooks.list(ctx, PageQuery.read(query));
    return listAnswer(page, (row) => WebhookResponse.from(row, this.secrets));
  }

  @Get(':id')
  @Requires('webhooks:read')
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({ operationId: 'getWebhook', summary: 'Get a webhook' })
  @ApiData(WebhookResponse, { description: 'The webhook.' })
  @ApiProblems({ 404: 'No such organization or webhook.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<WebhookResponse>> {
    const webhook = await this.webhooks.get(ctx, id);
    return etagged({ data: WebhookResponse.from(webhook, this.secrets) }, webhook.version);
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('webhooks:write')
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description: 'Fields that are not sent stay as they are.',
  })
  @ApiData(WebhookResponse, { description: 'The webhook as it is now.' })
  @ApiProblems({
    400: 'Invalid, or a URL that deliveries may not reach.',
    404: 'No such organization or webhook.',
    409: '`organization_suspended`.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateWebhookRequest,
  ): Promise<DataAnswer<WebhookResponse>> {
    const webhook = await this.webhooks.update(ctx, id, body);
    return etagged({ data: WebhookResponse.from(webhook, this.secrets) }, webhook.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('webhooks:write')
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'What was not delivered yet is not sent any more.',
  })
  @ApiNoContentResponse({ description: 'Deleted.' })
  @ApiProblems({ 404: 'No such organization or webhook.', 409: '`organization_suspended`.' })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.webhooks.remove(ctx, id);
  }

  @Get(':id/secret')
  @Requires('webhooks:write')
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({ operationId: 'getWebhookSecret', summary: "Get a webhook's signing secret" })
  @ApiData(WebhookSecretResponse, { description: 'The secret, as it is, and the one that is to replace it.' })
  @ApiProblems({ 404: 'No such organization or webhook.' })
  async secret(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<WebhookSecretResponse>> {
    return { data: WebhookSecretResponse.from(await this.webhooks.reveal(ctx, id), this.secrets) };
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Requires('webhooks:write')
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: "Replace a webhook's signing secret",
    description:
      "Give receivers the new secret before it takes over. Until then the old one makes the service's own signature, and `webhook-signature` holds a signature by each; afterwards the new one signs alone. Another rotation replaces the secret that waits.",
  })
  @ApiData(WebhookSecretResponse, { description: 'The secrets: the one that signs now, and the one that takes over.' })
  @ApiProblems({ 400: 'Invalid.', 404: 'No such organization or webhook.', 409: '`organization_suspended`.' })
  async rotateSecret(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: RotateSecretRequest,
  ): Promise<DataAnswer<WebhookSecretResponse>> {
    const webhook = await this.webhooks.rotateSecret(ctx, id, body.activateInSeconds ?? 0, body.secret);
    return { data: WebhookSecretResponse.from(webhook, this.secrets) };
  }
}
