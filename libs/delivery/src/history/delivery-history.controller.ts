import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiList, ApiProblems, Ctx, type DataAnswer, type ListAnswer, listAnswer, PageQuery, Requires } from '#http';
import { WebhooksService } from '#webhooks';
import { DeliveryDetailsResponse } from './delivery-details.models.js';
import { DeliveryDetailsService } from './delivery-details.service.js';
import { DeliveriesQuery, DeliveryResponse } from './delivery-history.models.js';
import { DeliveryHistoryRead } from './delivery-history.read.js';

const WEBHOOK_ID = { name: 'id', description: "The webhook's id.", example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' };

@ApiTags('Deliveries')
@Controller('v1/organizations/:org/webhooks/:id/deliveries')
export class DeliveryHistoryController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly history: DeliveryHistoryRead,
    private readonly details: DeliveryDetailsService,
  ) {}

  @Get()
  @Requires('webhooks:read')
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({ operationId: 'listDeliveries', summary: "List a webhook's deliveries" })
  @ApiList(DeliveryResponse)
  @ApiProblems({ 400: 'A bad limit, cursor or filter.', 404: 'No such organization or webhook.' })
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<ListAnswer<DeliveryResponse>> {
    const webhook = await this.webhooks.get(ctx, id);
    const page = await this.history.list(ctx, webhook, PageQuery.read(query), DeliveriesQuery.criteria(query));
    return listAnswer(page, (row) => DeliveryResponse.from(row));
  }

  @Get(':deliveryId')
  @Requires('webhooks:read')
  @ApiParam(WEBHOOK_ID)
  @ApiParam({ name: 'deliveryId', description: "The delivery's id.", example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn' })
  @ApiOperation({
    operationId: 'getDelivery',
    summary: 'Get a delivery with its attempts',
    description:
      'What was sent in each attempt and what came back, the payload, and the attempts to come. The payload is withheld from callers without `events:read`.',
  })
  @ApiData(DeliveryDetailsResponse, { description: 'The delivery.' })
  @ApiProblems({ 404: 'No such organization, webhook or delivery.' })
  async get(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataAnswer<DeliveryDetailsResponse>> {
    return { data: DeliveryDetailsResponse.of(await this.details.get(ctx, id, deliveryId)) };
  }
}
