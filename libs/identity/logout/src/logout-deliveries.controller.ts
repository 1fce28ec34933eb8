import { Body, Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
  Post,
  Requires,
} from '#platform/http';
import { CLIENT_PARAM } from '#identity/oauth';
import { DELIVERY_PARAM, ReceiverDeliveriesQuery, ReplayResponse } from '#webhooks/delivery-api';
import { LogoutReplayRequest } from './logout-deliveries.requests.js';
import { LogoutDeliveryDetailsResponse, LogoutDeliveryResponse } from './logout-deliveries.responses.js';
import { LogoutDeliveriesService } from './logout-deliveries.service.js';

@ApiTags('Logout deliveries')
@Controller('v1/organizations/:org/oauth-clients/:id/logout-deliveries')
export class LogoutDeliveriesController {
  constructor(private readonly deliveries: LogoutDeliveriesService) {}

  @Get()
  @Requires('oauth_clients:read')
  @ApiIdParam(CLIENT_PARAM)
  @ApiOperation({
    operationId: 'listLogoutDeliveries',
    summary: 'List logout deliveries',
    description:
      'Returns the logout tokens that were or will be sent to the client, newest first. Platform keys can also name a client of the platform; the list then has the sessions in the organization and its root organization.',
  })
  @ApiList(LogoutDeliveryResponse)
  @ApiProblems({ 400: '`limit`, `after`, `page` or `status` is invalid.', 404: 'The organization or client does not exist.' })
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ReceiverDeliveriesQuery,
  ): Promise<ListResponse<LogoutDeliveryResponse>> {
    return listResponse(await this.deliveries.list(ctx, id, PageQuery.read(query), query.status), LogoutDeliveryResponse.from);
  }

  @Get(':deliveryId')
  @Requires('oauth_clients:read')
  @ApiIdParam(CLIENT_PARAM)
  @ApiIdParam(DELIVERY_PARAM)
  @ApiOperation({
    operationId: 'getLogoutDelivery',
    summary: 'Get a logout delivery',
    description: 'Returns the delivery with its attempts.',
  })
  @ApiData(LogoutDeliveryDetailsResponse, { description: 'The delivery.' })
  @ApiProblems({ 404: 'The organization, client or delivery does not exist.' })
  async get(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataResponse<LogoutDeliveryDetailsResponse>> {
    return { data: LogoutDeliveryDetailsResponse.of(await this.deliveries.get(ctx, id, deliveryId)) };
  }

  @Post(':deliveryId/retry')
  @HttpCode(200)
  @Requires('oauth_clients:write')
  @ApiIdParam(CLIENT_PARAM)
  @ApiIdParam(DELIVERY_PARAM)
  @ApiOperation({
    operationId: 'retryLogoutDelivery',
    summary: 'Resend a logout delivery',
    description:
      'Sends a new logout token for the same session immediately, even if the delivery already succeeded. If the attempt fails, the retry schedule starts from the beginning.',
  })
  @ApiData(LogoutDeliveryResponse, { description: 'The delivery, scheduled for an immediate attempt.' })
  @ApiProblems({
    404: 'The organization, client or delivery does not exist.',
    409: 'An attempt is in progress (`delivery_under_way`), the retention period of the event is over (`delivery_not_repeatable`), or the organization is suspended (`organization_suspended`).',
  })
  async retry(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataResponse<LogoutDeliveryResponse>> {
    return { data: LogoutDeliveryResponse.from(await this.deliveries.retry(ctx, id, deliveryId)) };
  }

  @Post('replay')
  @HttpCode(200)
  @Requires('oauth_clients:write')
  @ApiIdParam(CLIENT_PARAM)
  @ApiOperation({
    operationId: 'replayLogoutDeliveries',
    summary: 'Replay logout deliveries',
    description:
      'Sends new logout tokens for the sessions that ended in a period, for example after the client was down for longer than the retry schedule. The service sends up to 100 of them per second. To only count the deliveries, set `dryRun` to true.',
  })
  @ApiData(ReplayResponse, { description: 'The number of deliveries.' })
  @ApiProblems({
    400: 'The request is invalid.',
    404: 'The organization or client does not exist.',
    409: 'The organization is suspended (`organization_suspended`).',
    422: 'More than 500,000 deliveries are selected (`replay_too_large`).',
  })
  async replay(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: LogoutReplayRequest,
  ): Promise<DataResponse<ReplayResponse>> {
    const input = LogoutReplayRequest.input(body);
    return { data: { count: await this.deliveries.replay(ctx, id, input), dryRun: input.dryRun } };
  }
}
