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
  @ApiParam({ name: 'id', description: 'Id of the webhook.', example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' })
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test delivery',
    description:
      'Sends the example of an event type immediately, signed like any other delivery, but without retries. Works for disabled webhooks, too. The status is 200 even if the destination fails; `success` contains the result. Each webhook allows at most 60 of these requests per minute. The response is not wrapped in `data`.',
  })
  @ApiOkResponse({ description: 'The test delivery was attempted; `success` contains the result.', type: TestWebhookResponse })
  @ApiProblems({
    400: 'The event type is unknown.',
    404: 'The organization or webhook was not found.',
    409: 'The organization is suspended (`organization_suspended`).',
  })
  async test(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: TestWebhookRequest,
  ): Promise<TestWebhookResponse> {
    const { deliveryId, attempt } = await this.tests.send(ctx, id, body.eventType);
    return TestWebhookResponse.from(deliveryId, attempt);
  }
}
