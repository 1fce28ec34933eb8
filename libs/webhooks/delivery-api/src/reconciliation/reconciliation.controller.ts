import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, Requires } from '#platform/http';
import { ReconciliationQuery } from './reconciliation.requests.js';
import { ReconciliationResponse } from './reconciliation.responses.js';
import { ReconciliationService } from './reconciliation.service.js';

@ApiTags('Deliveries')
@Controller('v1/organizations/:org/webhooks/:id/reconciliation')
export class ReconciliationController {
  constructor(private readonly reconciliation: ReconciliationService) {}

  @Get()
  @Requires('webhooks:read')
  @ApiIdParam({ name: 'id', description: 'Id of the webhook.', example: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx' })
  @ApiOperation({
    operationId: 'reconcileWebhook',
    summary: 'Reconcile a webhook',
    description:
      'Compares the event log with the deliveries of the webhook. Returns how many of the events that match the webhook were delivered, and a list of the events that were not delivered.',
  })
  @ApiData(ReconciliationResponse, { description: 'The counts and the undelivered events.' })
  @ApiProblems({ 400: '`since`, `until`, `limit` or `after` is invalid.', 404: 'The organization or webhook was not found.' })
  async reconcile(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ReconciliationQuery,
  ): Promise<DataResponse<ReconciliationResponse>> {
    const reconciled = await this.reconciliation.reconcile(ctx, id, ReconciliationQuery.request(query));
    return { data: ReconciliationResponse.from(reconciled) };
  }
}
