import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Put, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { InvalidRequest, type RequestContext } from '#platform/common';
import { Ctx, Post, Requires } from '#platform/http';
import { StreamChangesService } from '../streams/stream-changes.service.js';
import { StreamOwnersService } from '../streams/stream-owners.service.js';
import { StreamsService } from '../streams/streams.service.js';
import { readReplacement, readStreamId, readStreamInput, type StreamConfiguration } from './stream-configuration.js';

const NO_ORGANIZATION = { organization: 'none' } as const;

/** The configuration endpoint: receivers manage their streams (section 8.1.1). */
@ApiExcludeController()
@Controller('ssf/streams')
export class SsfStreamsController {
  constructor(
    private readonly streams: StreamsService,
    private readonly changes: StreamChangesService,
    private readonly owners: StreamOwnersService,
  ) {}

  @Get()
  @Requires('ssf_streams:read', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async read(@Ctx() ctx: RequestContext, @Query('stream_id') id: unknown): Promise<StreamConfiguration | StreamConfiguration[]> {
    const request = await this.owners.of(ctx);
    if (id === undefined) return this.streams.list(request);
    return this.streams.configuration(await this.streams.get(request, String(id)));
  }

  @Post()
  @HttpCode(201)
  @Requires('ssf_streams:write', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async create(@Ctx() ctx: RequestContext, @Body() body: unknown): Promise<StreamConfiguration> {
    const stream = await this.streams.create(await this.owners.of(ctx), readStreamInput(body ?? {}));
    return this.streams.configuration(stream);
  }

  @Patch()
  @Requires('ssf_streams:write', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async update(@Ctx() ctx: RequestContext, @Body() body: unknown): Promise<StreamConfiguration> {
    const [id, input] = [readStreamId(body), readStreamInput(body)];
    return this.streams.configuration(await this.streams.update(await this.owners.of(ctx), id, input, body));
  }

  @Put()
  @Requires('ssf_streams:write', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async replace(@Ctx() ctx: RequestContext, @Body() body: unknown): Promise<StreamConfiguration> {
    const [id, input] = [readStreamId(body), readReplacement(body)];
    return this.streams.configuration(await this.streams.update(await this.owners.of(ctx), id, input, body));
  }

  @Delete()
  @HttpCode(204)
  @Requires('ssf_streams:write', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async delete(@Ctx() ctx: RequestContext, @Query('stream_id') id: unknown): Promise<void> {
    if (id === undefined)
      throw new InvalidRequest([{ pointer: '/stream_id', in: 'query', code: 'required', message: 'stream_id is required.' }]);
    const request = await this.owners.of(ctx);
    await this.changes.delete(request.ctx, String(id), request.owner);
  }
}
