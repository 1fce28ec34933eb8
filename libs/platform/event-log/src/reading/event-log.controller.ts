import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { ApiData, ApiIdParam, ApiList, ApiProblems, Ctx, type DataResponse, PageQuery, Requires } from '#platform/http';
import { EventLogQuery } from './event-log.query.js';
import { eventFilterOf, ListEventsQuery } from './event-log.requests.js';
import { type EventListResponse, eventListResponse, EventPagination, EventResponse } from './event-log.responses.js';

@ApiTags('Events')
@Controller('v1/organizations/:org/events')
export class EventLogController {
  constructor(private readonly eventLog: EventLogQuery) {}

  @Get()
  @Requires('events:read')
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'Lists the events of the organization and, with `includeDescendants`, of its descendant organizations, ordered by `position`. Events are kept for the retention period, which the operator sets with the environment variable `RETENTION_EVENTS`. An event gets its position after its transaction is committed, usually within milliseconds. The event appears in the list as soon as it has a position.',
  })
  @ApiList(EventResponse, 'A page of events, newest first unless `sort` is `position`.', EventPagination)
  @ApiProblems({
    400: '`limit`, `after`, `page` or a filter is invalid. Or the event with the id in `after` is not in the event log (`cursor_gone`).',
    404: 'The organization was not found.',
  })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListEventsQuery): Promise<EventListResponse> {
    const page = await this.eventLog.list(ctx, organizationOf(ctx), eventFilterOf(query), PageQuery.read(query), query.sort);
    return eventListResponse(page);
  }

  @Get(':id')
  @Requires('events:read')
  @ApiIdParam({ name: 'id', description: 'Id of the event.', example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' })
  @ApiOperation({
    operationId: 'getEvent',
    summary: 'Get an event',
    description: 'Returns an event of the organization or of one of its descendant organizations.',
  })
  @ApiData(EventResponse, { description: 'The event.' })
  @ApiProblems({ 404: 'The organization or event was not found.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<EventResponse>> {
    const event = await this.eventLog.find(ctx, organizationOf(ctx), id);
    if (!event) throw new ResourceNotFound('event', id);
    return { data: EventResponse.from(event) };
  }
}
