import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Requires,
} from '#platform/http';
import { DeliveryDetailsResponse } from './delivery-details.responses.js';
import { DeliveryDetailsService } from './delivery-details.service.js';
import { DeliveriesQuery } from './delivery-history.requests.js';
import { DeliveryListItemResponse, DeliverySubjectResponse } from './delivery-history.responses.js';
import { DELIVERY_PARAM } from '../receivers/receiver-deliveries.responses.js';

const WEBHOOK_ID = { name: 'id', description: 'Id of the webhook.', example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' };

@ApiTags('Deliveries')
@Controller('v1/organizations/:org/webhooks/:id/deliveries')
export class DeliveryHistoryController {
  constructor(private readonly details: DeliveryDetailsService) {}

  @Get()
  @Requires('webhooks:read')
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'listDeliveries',
    summary: 'List deliveries',
    description:
      'Returns the deliveries of the webhook, including test deliveries. The list does not contain the payloads and attempts of the deliveries, but names what each event is about.',
  })
  @ApiExtraModels(DeliverySubjectResponse)
  @ApiList(DeliveryListItemResponse)
  @ApiProblems({ 400: '`limit`, `after`, `page` or a filter is invalid.', 404: 'The organization or webhook was not found.' })
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<ListResponse<DeliveryListItemResponse>> {
    const page = await this.details.list(ctx, id, PageQuery.read(query), DeliveriesQuery.criteria(query));
    return listResponse(page, DeliveryListItemResponse.of);
  }

  @Get(':deliveryId')
  @Requires('webhooks:read')
  @ApiIdParam(WEBHOOK_ID)
  @ApiIdParam(DELIVERY_PARAM)
  @ApiOperation({
    operationId: 'getDelivery',
    summary: 'Get a delivery',
    description:
      "Returns the delivery with its payload, the request and response of each attempt, and the attempts that are still scheduled. Callers without the permission `events:read` don't receive the payload.",
  })
  @ApiData(DeliveryDetailsResponse, { description: 'The delivery.' })
  @ApiProblems({ 404: 'The organization, webhook or delivery was not found.' })
  async get(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataResponse<DeliveryDetailsResponse>> {
    return { data: DeliveryDetailsResponse.of(await this.details.get(ctx, id, deliveryId)) };
  }
}
