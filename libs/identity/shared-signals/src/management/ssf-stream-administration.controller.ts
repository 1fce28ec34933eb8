import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { DELIVERY_PARAM, ReceiverDeliveriesQuery, ReplayResponse } from '#webhooks/delivery-api';
import { SsfReplayRequest, UpdateSsfStreamRequest } from './ssf-stream.requests.js';
import { SsfDeliveryDetailsResponse, SsfDeliveryResponse, SsfStreamResponse, STREAM_PARAM } from './ssf-stream.responses.js';
import { StreamAdministrationService } from './stream-administration.service.js';

@ApiTags('Shared signals')
@Controller('v1/organizations/:org/ssf-streams')
export class SsfStreamAdministrationController {
  constructor(private readonly streams: StreamAdministrationService) {}

  @Get()
  @Requires('ssf_streams:read')
  @ApiOperation({
    operationId: 'listSsfStreams',
    summary: 'List streams of shared signals',
    description: 'Returns the streams of the receivers of the organization, newest first.',
  })
  @ApiList(SsfStreamResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<SsfStreamResponse>> {
    return listResponse(await this.streams.list(ctx, PageQuery.read(query)), SsfStreamResponse.from);
  }

  @Get(':id')
  @Requires('ssf_streams:read')
  @ApiIdParam(STREAM_PARAM)
  @ApiOperation({ operationId: 'getSsfStream', summary: 'Get a stream of shared signals' })
  @ApiData(SsfStreamResponse, { description: 'The stream.' })
  @ApiProblems({ 404: 'The organization or stream does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<SsfStreamResponse>> {
    return { data: SsfStreamResponse.from(await this.streams.get(ctx, id)) };
  }

  @Patch(':id')
  @Requires('ssf_streams:write')
  @ApiIdParam(STREAM_PARAM)
  @ApiOperation({
    operationId: 'updateSsfStream',
    summary: 'Update a stream of shared signals',
    description:
      'Enables, pauses or disables a stream, or changes how its events name users. The receiver sets everything else. If the status changes, the receiver gets the event `stream-updated`. Publishes `ssf_stream.updated`.',
  })
  @ApiData(SsfStreamResponse, { description: 'The updated stream.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization or stream does not exist.',
    409: '`organization_suspended`.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateSsfStreamRequest,
  ): Promise<DataResponse<SsfStreamResponse>> {
    return { data: SsfStreamResponse.from(await this.streams.update(ctx, id, body)) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('ssf_streams:write')
  @ApiIdParam(STREAM_PARAM)
  @ApiOperation({
    operationId: 'deleteSsfStream',
    summary: 'Delete a stream of shared signals',
    description:
      'The receiver gets no further events, and can create another stream. To prevent that, remove the scope of its OAuth client. Publishes `ssf_stream.deleted`.',
  })
  @ApiNoContentResponse({ description: 'The stream was deleted.' })
  @ApiProblems({ 404: 'The organization or stream does not exist.', 409: '`organization_suspended`.' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.streams.delete(ctx, id);
  }

  @Get(':id/deliveries')
  @Requires('ssf_streams:read')
  @ApiIdParam(STREAM_PARAM)
  @ApiOperation({
    operationId: 'listSsfDeliveries',
    summary: 'List deliveries of a stream',
    description: 'Returns the events of the stream that were or will be delivered, newest first.',
  })
  @ApiList(SsfDeliveryResponse)
  @ApiProblems({
    400: '`limit`, `after`, `page` or `status` is invalid.',
    404: 'The organization or stream does not exist.',
  })
  async listDeliveries(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ReceiverDeliveriesQuery,
  ): Promise<ListResponse<SsfDeliveryResponse>> {
    const page = await this.streams.listDeliveries(ctx, id, PageQuery.read(query), query.status);
    return listResponse(page, SsfDeliveryResponse.from);
  }

  @Get(':id/deliveries/:deliveryId')
  @Requires('ssf_streams:read')
  @ApiIdParam(STREAM_PARAM)
  @ApiIdParam(DELIVERY_PARAM)
  @ApiOperation({
    operationId: 'getSsfDelivery',
    summary: 'Get a delivery of a stream',
    description: 'Returns the delivery with its attempts.',
  })
  @ApiData(SsfDeliveryDetailsResponse, { description: 'The delivery.' })
  @ApiProblems({ 404: 'The organization, stream or delivery does not exist.' })
  async getDelivery(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataResponse<SsfDeliveryDetailsResponse>> {
    return { data: SsfDeliveryDetailsResponse.of(await this.streams.getDelivery(ctx, id, deliveryId)) };
  }

  @Post(':id/deliveries/:deliveryId/retry')
  @HttpCode(200)
  @Requires('ssf_streams:write')
  @ApiIdParam(STREAM_PARAM)
  @ApiIdParam(DELIVERY_PARAM)
  @ApiOperation({
    operationId: 'retrySsfDelivery',
    summary: 'Resend a delivery of a stream',
    description:
      'Sends the same event again, or lets the receiver poll it again, even if the receiver already accepted it. Later events wait until this one has ended.',
  })
  @ApiData(SsfDeliveryResponse, { description: 'The delivery, scheduled for an immediate attempt.' })
  @ApiProblems({
    404: 'The organization, stream or delivery does not exist.',
    409: 'An attempt is in progress (`delivery_under_way`), the retention period of the event is over (`delivery_not_repeatable`), or the organization is suspended (`organization_suspended`).',
  })
  async retryDelivery(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataResponse<SsfDeliveryResponse>> {
    return { data: SsfDeliveryResponse.from(await this.streams.retryDelivery(ctx, id, deliveryId)) };
  }

  @Post(':id/deliveries/replay')
  @HttpCode(200)
  @Requires('ssf_streams:write')
  @ApiIdParam(STREAM_PARAM)
  @ApiOperation({
    operationId: 'replaySsfDeliveries',
    summary: 'Replay deliveries of a stream',
    description:
      'Delivers the events of a period again, in their order, for example after the receiver was down for longer than the retry schedule. To only count the deliveries, set `dryRun` to true.',
  })
  @ApiData(ReplayResponse, { description: 'The number of deliveries.' })
  @ApiProblems({
    400: 'The request is invalid.',
    404: 'The organization or stream does not exist.',
    409: 'The organization is suspended (`organization_suspended`).',
    422: 'More than 500,000 deliveries are selected (`replay_too_large`).',
  })
  async replayDeliveries(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: SsfReplayRequest,
  ): Promise<DataResponse<ReplayResponse>> {
    const input = SsfReplayRequest.input(body);
    return { data: { count: await this.streams.replayDeliveries(ctx, id, input), dryRun: input.dryRun } };
  }
}
