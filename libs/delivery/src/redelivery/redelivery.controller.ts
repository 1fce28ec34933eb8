import { Body, Controller, HttpCode, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, Requires } from '#http';
import { DeliveryResponse } from '../history/delivery-history.models.js';
import { ReplayRequest, ReplayResponse } from './redelivery.models.js';
import { ReplayService } from './replay.service.js';
import { RetryService } from './retry.service.js';

const WEBHOOK_ID = { name: 'id', description: "The webhook's id.", example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' };

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
  @ApiParam(WEBHOOK_ID)
  @ApiParam({ name: 'deliveryId', description: "The delivery's id.", example: 'dlv_01kf2bgxk4e3s9w5t8p1c7m6zn' })
  @ApiOperation({
    operationId: 'retryDelivery',
    summary: 'Send a delivery again now',
    description:
      'Whatever became of it so far: the same event id and bytes, signed anew, at once; should that fail, with all retries of the schedule. The attempts so far stay listed.',
  })
  @ApiData(DeliveryResponse, { description: 'The delivery, due now.' })
  @ApiProblems({
    404: 'No such organization, webhook or delivery.',
    409: '`webhook_disabled`, `delivery_under_way`, `delivery_not_repeatable`, `organization_suspended`.',
  })
  async retry(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataAnswer<DeliveryResponse>> {
    return { data: DeliveryResponse.from(await this.retries.retry(ctx, id, deliveryId)) };
  }

  @Post('replay')
  @HttpCode(200)
  @Requires('webhooks:write')
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({
    operationId: 'replayDeliveries',
    summary: "Send many of a webhook's deliveries again",
    description:
      'The same deliveries become pending again, with the same event ids, numbers and bytes, and are sent at a limited rate; new events go before them. Count first with `dryRun`.',
  })
  @ApiData(ReplayResponse, { description: 'How many are sent again, or would be.' })
  @ApiProblems({
    400: 'Invalid.',
    404: 'No such organization or webhook.',
    409: '`webhook_disabled`, `organization_suspended`.',
    422: '`replay_too_large`.',
  })
  async replay(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: ReplayRequest,
  ): Promise<DataAnswer<ReplayResponse>> {
    const input = ReplayRequest.input(body);
    return { data: { count: await this.replays.replay(ctx, id, input), dryRun: input.dryRun } };
  }
}
