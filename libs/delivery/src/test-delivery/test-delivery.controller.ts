import { Body, Controller, HttpCode, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiProblems, Ctx, LimitUse, Post, Requires, SkipIdempotency } from '#http';
import { TestWebhookRequest, TestWebhookResponse } from './test-delivery.models.js';
import { TestDeliveryService } from './test-delivery.service.js';

/** Enough to try things out, too little to flood a destination. */
const LIMIT = { kind: 'test-delivery', param: 'id', uses: 60, windowSeconds: 60 };

@ApiTags('Webhooks')
@Controller('v1/organizations/:org/webhooks')
export class TestDeliveryController {
  constructor(private readonly tests: TestDeliveryService) {}

  @Post(':id/test')
  @HttpCode(200)
  @Requires('webhooks:write')
  @LimitUse(LIMIT)
  @SkipIdempotency('Each test asks the destination anew.')
  @ApiParam({ name: 'id', description: "The webhook's id.", example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' })
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test delivery',
    description:
      'Sends the example of an event at once, signed like any other, without retries; also while the webhook is switched off. At most 60 a minute for each webhook. The answer is not wrapped in `data`.',
  })
  @ApiOkResponse({ description: 'The test was made; `success` says how it went.', type: TestWebhookResponse })
  @ApiProblems({ 400: 'No such event type.', 404: 'No such organization or webhook.', 409: '`organization_suspended`.' })
  async test(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: TestWebhookRequest,
  ): Promise<TestWebhookResponse> {
    const { deliveryId, attempt } = await this.tests.send(ctx, id, body.eventType);
    return TestWebhookResponse.from(deliveryId, attempt);
  }
}
