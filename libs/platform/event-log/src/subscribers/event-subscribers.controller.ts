import { Body, Controller, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, Post, Requires } from '#platform/http';
import { ResumeEventSubscriberRequest } from './event-subscriber.requests.js';
import { EventSubscriberResponse } from './event-subscriber.responses.js';
import { EventSubscribersService } from './event-subscribers.service.js';

const ONLY_FOR_OPERATORS = 'Only a platform key or an operator session can call this operation.';

/** Lists and resumes the durable event handlers, for operators. */
@ApiTags('Operations')
@Controller('v1/event-subscribers')
export class EventSubscribersController {
  constructor(private readonly subscribers: EventSubscribersService) {}

  @Get()
  @Requires('events:read', { organization: 'none' })
  @ApiOperation({
    operationId: 'listEventSubscribers',
    summary: 'List event subscribers',
    description: `Returns the parts of the service that handle events in the background (durable event subscribers), and for each the number of waiting events, the lag and the organizations for which it is stopped. ${ONLY_FOR_OPERATORS}`,
  })
  @ApiData([EventSubscriberResponse])
  @ApiProblems({ 403: 'The caller lacks the required permission, or is not an operator (`forbidden`).' })
  async list(@Ctx() ctx: RequestContext): Promise<DataResponse<EventSubscriberResponse[]>> {
    return { data: (await this.subscribers.list(ctx)).map(EventSubscriberResponse.from) };
  }

  @Post(':subscriber/resume')
  @HttpCode(204)
  @Requires('webhooks:write', { organization: 'none' })
  @ApiIdParam({ name: 'subscriber', description: 'Name of the event subscriber.', example: 'crm-sync', maxLength: 100 })
  @ApiOperation({
    operationId: 'resumeEventSubscriber',
    summary: 'Resume an event subscriber',
    description: `Lets an event subscriber continue that is stopped for an organization, because all attempts to handle an event failed. ${ONLY_FOR_OPERATORS}`,
  })
  @ApiNoContentResponse({ description: 'The event subscriber continues.' })
  @ApiProblems({
    403: 'The caller lacks the required permission, or is not an operator (`forbidden`).',
    404: 'There is no event subscriber with this name (`event_subscriber_not_found`).',
    409: 'The event subscriber is not stopped for the organization (`event_subscriber_not_stopped`).',
  })
  async resume(
    @Ctx() ctx: RequestContext,
    @Param('subscriber') subscriber: string,
    @Body() { organizationId, skipEvent }: ResumeEventSubscriberRequest,
  ): Promise<void> {
    await this.subscribers.resume(ctx, subscriber, { tenantId: organizationId, skipsEvent: skipEvent ?? false });
  }
}
