import { Body, Controller, Get, Header, HttpCode, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { InvalidRequest, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { Ctx, Post, Requires } from '#platform/http';
import { STREAM_STATUSES, type SsfStream, type StreamStatus } from '../streams/ssf-stream.entity.js';
import { StreamChangesService } from '../streams/stream-changes.service.js';
import { StreamOwnersService } from '../streams/stream-owners.service.js';
import { StreamsService } from '../streams/streams.service.js';
import { SubjectsService } from '../streams/subjects.service.js';
import { VerificationsService } from '../streams/verifications.service.js';
import { membersOf, optionalText, reject, requiredText } from './request-body.js';
import { readStreamId } from './stream-configuration.js';
import { readSubject } from './subject-body.js';

const NO_ORGANIZATION = { organization: 'none' } as const;
const REASON_MAX_LENGTH = 500;
const STATE_MAX_LENGTH = 2_048;

interface StatusResponse {
  readonly stream_id: string;
  readonly status: StreamStatus;
  readonly reason?: string;
}

/** Status, subjects and verification of streams (sections 8.1.2 to 8.1.4). */
@ApiExcludeController()
@Controller('ssf')
export class SsfStreamControlController {
  constructor(
    private readonly streams: StreamsService,
    private readonly changes: StreamChangesService,
    private readonly owners: StreamOwnersService,
    private readonly subjects: SubjectsService,
    private readonly verifications: VerificationsService,
    private readonly config: AppConfig,
  ) {}

  @Get('status')
  @Requires('ssf_streams:read', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async readStatus(@Ctx() ctx: RequestContext, @Query('stream_id') id: unknown): Promise<StatusResponse> {
    if (id === undefined)
      throw new InvalidRequest([{ pointer: '/stream_id', in: 'query', code: 'required', message: 'stream_id is required.' }]);
    return statusOf(await this.streams.get(await this.owners.of(ctx), String(id)));
  }

  @Post('status')
  @HttpCode(200)
  @Requires('ssf_streams:write', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async updateStatus(@Ctx() ctx: RequestContext, @Body() body: unknown): Promise<StatusResponse> {
    const id = readStreamId(body);
    const members = membersOf(body);
    const status = requiredText(members, 'status', 20);
    if (!isStatus(status)) reject('status', 'invalid_choice', `must be one of ${STREAM_STATUSES.join(', ')}.`);
    const reason = optionalText(members, 'reason', REASON_MAX_LENGTH);
    return statusOf(await this.changes.changeOfReceiver(await this.owners.of(ctx), id, { status, reason }));
  }

  @Post('subjects/add')
  @HttpCode(200)
  @Requires('ssf_streams:write', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async addSubject(@Ctx() ctx: RequestContext, @Body() body: unknown): Promise<void> {
    const [id, subject] = [readStreamId(body), readSubject(body, this.config.baseUrl)];
    await this.subjects.add(ctx, await this.streams.get(await this.owners.of(ctx), id), subject);
  }

  @Post('subjects/remove')
  @HttpCode(204)
  @Requires('ssf_streams:write', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async removeSubject(@Ctx() ctx: RequestContext, @Body() body: unknown): Promise<void> {
    const [id, subject] = [readStreamId(body), readSubject(body, this.config.baseUrl)];
    await this.subjects.remove(ctx, await this.streams.get(await this.owners.of(ctx), id), subject);
  }

  @Post('verification')
  @HttpCode(204)
  @Requires('ssf_streams:write', NO_ORGANIZATION)
  @Header('Cache-Control', 'no-store')
  async verify(@Ctx() ctx: RequestContext, @Body() body: unknown): Promise<void> {
    const state = optionalText(membersOf(body), 'state', STATE_MAX_LENGTH) ?? null;
    await this.verifications.request(await this.owners.of(ctx), readStreamId(body), state);
  }
}

const isStatus = (status: string): status is StreamStatus => (STREAM_STATUSES as readonly string[]).includes(status);

const statusOf = ({ id, status, statusReason }: SsfStream): StatusResponse => ({
  stream_id: id,
  status,
  ...(statusReason === null ? {} : { reason: statusReason }),
});
