import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext, ResourceNotFound } from '#common';
import { ApiData, ApiList, ApiProblems, Ctx, type DataAnswer, type ListAnswer, listAnswer, PageQuery, Requires } from '#http';
import { EventLogRead } from './event-log.read.js';
import { eventFilterOf, ListEventsQuery } from './event-log.requests.js';
import { EventResponse } from './event-log.responses.js';

/** The log of what happened in an organization. */
@ApiTags('Events')
@Controller('v1/organizations/:org/events')
export class EventLogController {
  constructor(private readonly log: EventLogRead) {}

  @Get()
  @Requires('events:read')
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'All that happened in the organization within `RETENTION_EVENTS`, in the order of `position`. An event shows as soon as it is ' +
      'numbered, commonly within milliseconds of the change. `after` is the id of the last event seen.',
  })
  @ApiList(EventResponse, 'A page of the log, newest first unless `sort` says otherwise.')
  @ApiProblems({ 400: 'A bad limit, cursor or filter.', 404: 'No such organization.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListEventsQuery): Promise<ListAnswer<EventResponse>> {
    const place = organizationOf(ctx);
    const page = await this.log.list(ctx, place, eventFilterOf(query), PageQuery.read(query), query.sort);
    return listAnswer(page, (event) => EventResponse.from(event));
  }

  @Get(':id')
  @Requires('events:read')
  @ApiParam({ name: 'id', description: "The event's id.", example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht' })
  @ApiOperation({
    operationId: 'getEvent',
    summary: 'Get an event',
    description: 'An event of the organization, or of one below it.',
  })
  @ApiData(EventResponse, { description: 'The event.' })
  @ApiProblems({ 404: 'No such organization or event.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<EventResponse>> {
    const event = await this.log.find(ctx, organizationOf(ctx), id);
    if (!event) throw new ResourceNotFound('event', id);
    return { data: EventResponse.from(event) };
  }
}
