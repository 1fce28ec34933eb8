import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { organizationOf, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { authorizeAgainOf, Ctx, MEDIA_TYPES, Requires, sendDownload, type ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { EVENT_EXPORT_HEADER, EventExportService } from './event-export.service.js';
import { ExportEventsQuery } from './event-log.requests.js';
import { EventResponse } from './event-log.responses.js';

@ApiTags('Events')
@Controller('v1/organizations/:org/events/export')
export class EventExportController {
  constructor(private readonly exports: EventExportService) {}

  @Get()
  @Requires('events:read')
  @ApiOperation({
    operationId: 'exportEvents',
    summary: 'Export events',
    description:
      'Streams all events that `GET /v1/organizations/{org}/events` returns for the same filters, oldest first, up to the event that was the newest when the export started. A search reads the whole log. In a CSV file, the column `data` has JSON, and an apostrophe is put before each value that a spreadsheet would run as a formula. ' +
      RECENT_SIGN_IN +
      ' Publishes `organization.events_exported`.',
  })
  @ApiResponse({
    status: 200,
    description: 'A file with one `EventResponse` per line. A CSV file starts with a header row.',
    content: {
      [MEDIA_TYPES.ndjson]: {
        // @nestjs/swagger has no type for `contentSchema` of OpenAPI 3.1.
        schema: { type: 'string', contentSchema: { $ref: getSchemaPath(EventResponse) } } as object,
      },
      [MEDIA_TYPES.csv]: { schema: { type: 'string' }, example: EVENT_EXPORT_HEADER },
    },
  })
  async export(
    @Ctx() ctx: RequestContext,
    @Query() query: ExportEventsQuery,
    @Req() request: ServiceRequest,
    @Res() response: Response,
  ): Promise<void> {
    const format = query.format ?? 'ndjson';
    const filename = `events-${organizationOf(ctx).slug}.${format}`;
    await sendDownload(response, { format, filename }, this.exports.run(ctx, query, authorizeAgainOf(request)));
  }
}
