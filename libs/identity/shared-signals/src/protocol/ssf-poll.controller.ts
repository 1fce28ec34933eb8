import { Body, Controller, Header, HttpCode, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { Ctx, Post, Requires, SkipIdempotency } from '#platform/http';
import type { Response } from 'express';
import { PollService } from '../streams/poll.service.js';
import { StreamOwnersService } from '../streams/stream-owners.service.js';
import { StreamsService } from '../streams/streams.service.js';
import { readPoll } from './poll-body.js';

/** Delivers events to receivers that poll (RFC 8936). */
@ApiExcludeController()
@Controller('ssf/streams/:id/poll')
export class SsfPollController {
  constructor(
    private readonly streams: StreamsService,
    private readonly owners: StreamOwnersService,
    private readonly polls: PollService,
  ) {}

  @Post()
  @HttpCode(200)
  @SkipIdempotency('A repeated poll returns the same events until they are acknowledged. It can wait, so it has no transaction.')
  @Requires('ssf_streams:write', { organization: 'none' })
  @Header('Cache-Control', 'no-store')
  async poll(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const input = readPoll(body);
    const stream = await this.streams.get(await this.owners.of(ctx), id);
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const { sets, moreAvailable } = await this.polls.poll(ctx, stream, input, closed.signal);
    return { sets, ...(moreAvailable ? { moreAvailable } : {}) };
  }
}
