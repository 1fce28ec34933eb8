import { Body, Controller, HttpCode, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedInSetup, type RequestContext } from '#platform/common';
import { ApiIdParam, ApiProblems, Ctx, LimitUse, Post, Requires, SkipIdempotency } from '#platform/http';
import { TestWebhookRequest } from './test-delivery.requests.js';
import { TestWebhookResponse } from './test-delivery.responses.js';
import { TestDeliveryService } from './test-delivery.service.js';

/** Limits test deliveries, so that they can't flood a destination. */
const LIMIT = { kind: 'test-delivery', param: 'id', uses: 60, windowSeconds: 60 };

@ApiTags('Webhooks')
@Controller('v1/organizations/:org/webhooks')
export class TestDeliveryController {
  constructor(private readonly tests: TestDeliveryService) {}

  @AllowedInSetup('webhook')
  @Post(':id/test')
  @HttpCode(200)
  @Requires('webhooks:write')
  @LimitUse(LIMIT)
  @SkipIdempotency('Each test asks the destination anew.')
  @ApiIdParam({ name: 'id', description: 'Id of the webhook.', example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' })
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test delivery',
    description:
      'Sends the example event of an event type immediately. A test delivery is signed like any other delivery, but is not retried. You can also send test deliveries to disabled webhooks. The status of the response is 200 even if the test delivery fails. The field `success` contains the result. At most 60 test deliveries per minute can be sent to each webhook. The response is not wrapped in `data`.',
  })
  @ApiOkResponse({
    description: 'The test delivery was attempted. The field `success` contains the result.',
    type: TestWebhookResponse,
  })
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
