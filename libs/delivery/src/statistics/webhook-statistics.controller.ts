import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Requires } from '#http';
import { StatisticsQuery, WebhookStatisticsResponse } from './webhook-statistics.models.js';
import { WebhookStatisticsService } from './webhook-statistics.service.js';

@ApiTags('Deliveries')
@Controller('v1/organizations/:org/webhooks/:id/statistics')
export class WebhookStatisticsController {
  constructor(private readonly statistics: WebhookStatisticsService) {}

  @Get()
  @Requires('webhooks:read')
  @ApiParam({ name: 'id', description: "The webhook's id.", example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' })
  @ApiOperation({
    operationId: 'getWebhookStatistics',
    summary: "Get a webhook's statistics",
    description:
      'Attempts and response times by the hour or day, for charts, and what became of the deliveries. Exact, as far back as deliveries are kept; tests are left out.',
  })
  @ApiData(WebhookStatisticsResponse, { description: 'The counts.' })
  @ApiProblems({ 400: 'A bad time or interval, or too many intervals.', 404: 'No such organization or webhook.' })
  async get(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: StatisticsQuery,
  ): Promise<DataAnswer<WebhookStatisticsResponse>> {
    return { data: WebhookStatisticsResponse.from(await this.statistics.get(ctx, id, StatisticsQuery.request(query))) };
  }
}
