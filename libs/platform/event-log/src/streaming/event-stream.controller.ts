import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext } from '#platform/common';
import { ApiProblems, authorizeAgainOf, Ctx, Requires, type ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { eventFilterOf, StreamEventsQuery } from '../reading/event-log.requests.js';
import { EventFollower } from './event-follower.js';
import { EventStreams } from './event-streams.js';

const MEDIA_TYPE = 'text/event-stream';
/** Time after which the connection of a client that reads nothing is closed, in milliseconds. The client can reconnect and continue. */
const READ_TIMEOUT_MS = 60_000;
/** Time for slow clients to read the last part at shutdown, in milliseconds. */
const LAST_PART_MS = 1_000;
const EXAMPLE =
  'retry: 1000\nid: 4710\n\nid: 4711\ndata: {"id":"evt_01kf2bgwd8f5m2q7r4x1v9b3ht","position":4711,"type":"user.created"}\n\n:\nid: 4711\n\n';

/** Streams the events of an organization. */
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
    summary: 'Stream events',
    description:
      'Streams events as server-sent events, in the order of their positions in the event log, without gaps or duplicates. Each message contains one event. The id of the message is the `position` of the event, and the data is an `EventResponse`.\n\n- When a client reconnects, it sends the id of the last message in the header `Last-Event-ID`, as `EventSource` does. The stream then continues after that message. Without `Last-Event-ID`, the query parameters determine the start of the stream: with `after`, the stream starts after the event in `after`. With `since` and without `after`, the stream starts with the first event at or after `since`. Without `since` and `after`, the stream starts with the next new event.\n- If there are no events, the stream sends a comment and the current position about every 10 seconds.\n- The stream ends if the caller loses access, if the service stops, or if the client reads nothing for a minute.\n- A caller can have at most 20 open streams in each process of the service.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'Id of the last message that the client received, or id of an event. The stream continues after this message or event.',
    schema: { type: 'string', maxLength: 64, example: '4711' },
  })
  @ApiResponse({
    status: 200,
    description: 'A stream of server-sent events.',
    content: { [MEDIA_TYPE]: { schema: { type: 'string' }, example: EXAMPLE } },
  })
  @ApiProblems({
    400: '`after`, `Last-Event-ID` or a filter is invalid. Or the stream cannot continue after the given message or event, because the event is not in the event log, or because later events were already removed at the end of their retention period (`cursor_gone`).',
    404: 'The organization was not found.',
    429: 'The caller already has 20 open streams in this process of the service (`too_many_streams`), or sent too many requests (`rate_limited`).',
  })
  async stream(
    @Ctx() ctx: RequestContext,
    @Query() query: StreamEventsQuery,
    @Req() request: ServiceRequest,
    @Res() response: Response,
  ): Promise<void> {
    const organization = organizationOf(ctx);
    const filter = eventFilterOf(query);
    const fromPosition = await this.follower.startOf(ctx, organization, filter, request.get('last-event-id') || query.after);
    const authorizeAgain = authorizeAgainOf(request);
    await this.streams.run(ctx.caller, async (ending) => {
      response.status(200).setHeader('Content-Type', `${MEDIA_TYPE}; charset=utf-8`);
      // Proxies must not buffer the stream.
      response.setHeader('Cache-Control', 'no-store, no-transform').setHeader('X-Accel-Buffering', 'no');
      response.flushHeaders();
      if (request.method === 'HEAD') return void response.end();
      const parts = this.follower.follow(ctx, { organization, filter, fromPosition, authorizeAgain, ending });
      await send(parts, response, ending);
    });
  }
}

/** Writes parts as fast as the client reads. Reads the next part only after the current part was written. */
async function send(parts: AsyncGenerator<string>, response: Response, ending: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const close = () => response.destroy();
  const watched = async function* () {
    for await (const part of parts) {
      timer = setTimeout(close, READ_TIMEOUT_MS).unref();
      yield part;
      clearTimeout(timer);
    }
  };
  const onEnding = () => setTimeout(close, LAST_PART_MS).unref();
  ending.addEventListener('abort', onEnding, { once: true });
  try {
    await pipeline(Readable.from(watched(), { highWaterMark: 1 }), response);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    clearTimeout(timer);
    ending.removeEventListener('abort', onEnding);
  }
}
