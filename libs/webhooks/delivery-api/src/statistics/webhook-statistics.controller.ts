import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, Requires } from '#platform/http';
import { StatisticsQuery } from './webhook-statistics.requests.js';
import { WebhookStatisticsResponse } from './webhook-statistics.responses.js';
import { WebhookStatisticsService } from './webhook-statistics.service.js';

@ApiTags('Deliveries')
@Controller('v1/organizations/:org/webhooks/:id/statistics')
export class WebhookStatisticsController {
  constructor(private readonly statistics: WebhookStatisticsService) {}

  @Get()
  @Requires('webhooks:read')
  @ApiIdParam({ name: 'id', description: 'Id of the webhook.', example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' })
  @ApiOperation({
    operationId: 'getWebhookStatistics',
    summary: 'Get webhook statistics',
    description:
      'Returns the number of attempts and the response times per hour or day, and the number of deliveries by status. The counts are exact and go back as far as deliveries are kept. Test deliveries are not counted.',
  })
  @ApiData(WebhookStatisticsResponse, { description: 'The statistics.' })
  @ApiProblems({
    400: '`since`, `until` or `interval` is invalid, or the range has too many intervals.',
    404: 'The organization or webhook was not found.',
  })
  async get(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: StatisticsQuery,
  ): Promise<DataResponse<WebhookStatisticsResponse>> {
    return { data: WebhookStatisticsResponse.from(await this.statistics.get(ctx, id, StatisticsQuery.request(query))) };
  }
}
