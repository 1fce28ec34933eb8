import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext } from '#common';
import { ApiProblems, authorizeAgainOf, Ctx, Requires, type ServiceRequest } from '#http';
import type { Response } from 'express';
import { eventFilterOf, StreamEventsQuery } from '../reading/event-log.requests.js';
import { EventFollower } from './event-follower.js';
import { EventStreams } from './event-streams.js';

const MEDIA_TYPE = 'text/event-stream';
/** A reader that takes nothing for so long is cut off; it can go on where it was. */
const STALLED_AFTER_MS = 60_000;
/** When streams are to end, this much time is left to those whose reader is slow. */
const LAST_PIECES_MS = 1_000;
const EXAMPLE =
  'retry: 1000\nid: 4710\n\nid: 4711\ndata: {"id":"evt_01kf2bgwd8f5m2q7r4x1v9b3ht","position":4711,"type":"user.created"}\n\n:\nid: 4711\n\n';

/** Follows the log of an organization. */
@ApiTags('Events')
@Controller('v1/organizations/:org/events/stream')
export class EventStreamController {
  constructor(
    private readonly follower: EventFollower,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @Requires('events:read')
  @ApiOperation({
    operationId: 'streamEvents',
    summary: 'Follow events',
    description:
      'Events as they happen, as server-sent events: each has its `position` as id and an `EventResponse` as data, in the order of ' +
      'positions, without gaps or doubles. A client that lost the connection sends the last id in `Last-Event-ID` and goes on after it, ' +
      'as every `EventSource` does. Without it and without `after`, the stream begins with what `since` asks for, or else with what is ' +
      'to come. A comment and the present position are sent at least every 10 seconds or so. The stream ends when the caller may no ' +
      'longer read, when the service stops, and when a reader takes nothing for a minute. At most 20 at once for each caller and process.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last message seen (or an event’s id): the stream goes on after it.',
    schema: { type: 'string', maxLength: 64, example: '4711' },
  })
  @ApiResponse({
    status: 200,
    description: 'The stream.',
    content: { [MEDIA_TYPE]: { schema: { type: 'string' }, example: EXAMPLE } },
  })
  @ApiProblems({
    400: 'A bad cursor or filter; `cursor_gone` when retention has removed events after the cursor.',
    404: 'No such organization.',
    429: '`too_many_streams`, `rate_limited`.',
  })
  async stream(
    @Ctx() ctx: RequestContext,
    @Query() query: StreamEventsQuery,
    @Req() request: ServiceRequest,
    @Res() response: Response,
  ): Promise<void> {
    const place = organizationOf(ctx);
    const filter = eventFilterOf(query);
    const fromPosition = await this.follower.startOf(ctx, place, filter, request.get('last-event-id') || query.after);
    const authorizeAgain = authorizeAgainOf(request);
    await this.streams.run(ctx.caller, async (ending) => {
      response.status(200).setHeader('Content-Type', `${MEDIA_TYPE}; charset=utf-8`);
      // Proxies are to pass pieces on as they come.
      response.setHeader('Cache-Control', 'no-store, no-transform').setHeader('X-Accel-Buffering', 'no');
      response.flushHeaders();
      if (request.method === 'HEAD') return void response.end();
      const pieces = this.follower.follow(ctx, { place, filter, fromPosition, authorizeAgain, ending });
      await send(pieces, response, ending);
    });
  }
}

/** Writes as fast as the reader reads: pieces are made only as they are taken. */
async function send(pieces: AsyncGenerator<string>, response: Response, ending: AbortSignal): Promise<void> {
  let stalled: NodeJS.Timeout | undefined;
  const cut = () => response.destroy();
  const watched = async function* () {
    for await (const piece of pieces) {
      stalled = setTimeout(cut, STALLED_AFTER_MS).unref();
      yield piece;
      clearTimeout(stalled);
    }
  };
  const onEnding = () => setTimeout(cut, LAST_PIECES_MS).unref();
  ending.addEventListener('abort', onEnding, { once: true });
  try {
    await pipeline(Readable.from(watched(), { highWaterMark: 1 }), response);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    clearTimeout(stalled);
    ending.removeEventListener('abort', onEnding);
  }
}
