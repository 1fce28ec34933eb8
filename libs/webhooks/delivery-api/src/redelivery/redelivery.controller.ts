import { Body, Controller, HttpCode, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN, RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, Post, Requires } from '#platform/http';
import { DeliveryResponse } from '../history/delivery-history.responses.js';
import { ReplayRequest } from './redelivery.requests.js';
import { ReplayResponse } from './redelivery.responses.js';
import { ReplayService } from './replay.service.js';
import { RetryService } from './retry.service.js';
import { DELIVERY_PARAM } from '../receivers/receiver-deliveries.responses.js';

const WEBHOOK_ID = { name: 'id', description: 'Id of the webhook.', example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' };

@ApiTags('Deliveries')
@Controller('v1/organizations/:org/webhooks/:id')
export class RedeliveryController {
  constructor(
    private readonly retries: RetryService,
    private readonly replays: ReplayService,
  ) {}

  @Post('deliveries/:deliveryId/retry')
  @HttpCode(200)
  @Requires('webhooks:write')
  @ApiIdParam(WEBHOOK_ID)
  @ApiIdParam(DELIVERY_PARAM)
  @ApiOperation({
    operationId: 'retryDelivery',
    summary: 'Resend a delivery',
    description:
      "Sends a delivery immediately, even if it already succeeded or was skipped. The event id and the body stay the same; the signatures are new. If the attempt fails, the retry schedule starts from the beginning. Earlier attempts stay listed. You cannot resend test deliveries or deliveries of a disabled webhook. You also cannot resend a delivery while an attempt is in progress. In addition to `webhooks:write`, the caller must have the permission `events:read`; permissions from break-glass access don't count. " +
      RECENT_SIGN_IN,
  })
  @ApiData(DeliveryResponse, { description: 'The delivery, scheduled for an immediate attempt.' })
  @ApiProblems({
    404: 'The organization, webhook or delivery was not found.',
    409: 'The webhook is disabled (`webhook_disabled`), an attempt is in progress (`delivery_under_way`), or the organization is suspended (`organization_suspended`). Or the delivery is a test delivery, or the retention period of its event is over (`delivery_not_repeatable`).',
  })
  async retry(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataResponse<DeliveryResponse>> {
    return { data: DeliveryResponse.from(await this.retries.retry(ctx, id, deliveryId)) };
  }

  @Post('replay')
  @HttpCode(200)
  @Requires('webhooks:write')
  @ApiIdParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'replayDeliveries',
    summary: 'Replay deliveries',
    description:
      "Sends the deliveries of a period again, with the same event ids, sequence numbers and bodies. With the fields of the request, you select the period, the event types and the status of the deliveries. The selected deliveries become `pending` if they are not already. The service sends up to 100 of the selected deliveries per second. If the webhook has a `rateLimit`, the `rateLimit` applies instead. Deliveries of new events do not wait for the replay. To only count the deliveries, set `dryRun` to true. A replay can have at most 500,000 deliveries. Without `dryRun`, a replay is a sensitive operation and also requires the permission `events:read`; permissions from break-glass access don't count. " +
      RECENT_SIGN_IN_IF_SENSITIVE,
  })
  @ApiData(ReplayResponse, { description: 'The number of deliveries.' })
  @ApiProblems({
    400: 'The request is invalid.',
    404: 'The organization or webhook was not found.',
    409: 'The webhook is disabled and `dryRun` is not true (`webhook_disabled`), or the organization is suspended (`organization_suspended`).',
    422: 'More than 500,000 deliveries are selected (`replay_too_large`).',
  })
  async replay(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: ReplayRequest,
  ): Promise<DataResponse<ReplayResponse>> {
    const input = ReplayRequest.input(body);
    return { data: { count: await this.replays.replay(ctx, id, input), dryRun: input.dryRun } };
  }
}
