import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Requires } from '#http';
import { ReconciliationQuery, ReconciliationResponse } from './reconciliation.models.js';
import { ReconciliationService } from './reconciliation.service.js';

@ApiTags('Deliveries')
@Controller('v1/organizations/:org/webhooks/:id/reconciliation')
export class ReconciliationController {
  constructor(private readonly reconciliation: ReconciliationService) {}

  @Get()
  @Requires('webhooks:read')
  @ApiParam({ name: 'id', description: "The webhook's id.", example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' })
  @ApiOperation({
    operationId: 'reconcileWebhook',
    summary: 'Tell whether a webhook got all events',
    description: 'Holds the event log against the deliveries, and lists what is not delivered.',
  })
  @ApiData(ReconciliationResponse, { description: 'The counts, and the events that are not delivered.' })
  @ApiProblems({ 400: 'A bad time, limit or cursor.', 404: 'No such organization or webhook.' })
  async reconcile(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ReconciliationQuery,
  ): Promise<DataAnswer<ReconciliationResponse>> {
    const reconciled = await this.reconciliation.reconcile(ctx, id, ReconciliationQuery.request(query));
    return { data: ReconciliationResponse.from(reconciled) };
  }
}
