import { Body, Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Clock, type RequestContext } from '#common';
import {
  ApiData,
  ApiList,
  ApiProblems,
  Ctx,
  type DataAnswer,
  type ListAnswer,
  listAnswer,
  PageQuery,
  Post,
  Requires,
} from '#http';
import type { BreakGlassRequest } from './break-glass-request.entity.js';
import { DenyBreakGlassRequest, ListBreakGlassQuery, RequestBreakGlassRequest } from './break-glass.requests.js';
import { BreakGlassResponse } from './break-glass.responses.js';
import { BreakGlass } from './break-glass.service.js';

const ID_PARAM = { name: 'id', description: 'The id of the request.', example: 'bgr_01kf0000000000000000000000' };
const NOT_OPEN = { 409: 'The request was decided, has ended or has expired.' };

@ApiTags('Break glass')
@Controller('v1/organizations/:org/break-glass')
export class BreakGlassController {
  constructor(
    private readonly breakGlass: BreakGlass,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Requires('break_glass:request')
  @ApiOperation({
    operationId: 'requestBreakGlass',
    summary: 'Ask for emergency access',
    description:
      'For a signed-in user. All owners get a mail. Another person has to approve within a day; then the user is an owner until the time is over.',
  })
  @ApiData(BreakGlassResponse, { status: 201, description: 'The request; nothing is granted yet.' })
  @ApiProblems({ 409: 'The user has such a request here already.' })
  async request(@Ctx() ctx: RequestContext, @Body() body: RequestBreakGlassRequest): Promise<DataAnswer<BreakGlassResponse>> {
    return this.answer(await this.breakGlass.request(ctx, body.reason, body.durationSeconds));
  }

  @Get()
  @Requires('break_glass:request')
  @ApiOperation({
    operationId: 'listBreakGlassRequests',
    summary: 'List requests for emergency access',
    description: 'Newest first.',
  })
  @ApiList(BreakGlassResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListBreakGlassQuery): Promise<ListAnswer<BreakGlassResponse>> {
    const page = await this.breakGlass.list(ctx, PageQuery.read(query), query.status);
    return listAnswer(page, (request) => BreakGlassResponse.from(request, this.clock.now()));
  }

  @Get(':id')
  @Requires('break_glass:request')
  @ApiParam(ID_PARAM)
  @ApiOperation({ operationId: 'getBreakGlassRequest', summary: 'Get a request for emergency access' })
  @ApiData(BreakGlassResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<BreakGlassResponse>> {
    return this.answer(await this.breakGlass.get(ctx, id));
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Requires('break_glass:approve')
  @ApiParam(ID_PARAM)
  @ApiOperation({
    operationId: 'approveBreakGlass',
    summary: 'Approve emergency access',
    description: 'By another user than the requester, or with a platform key. The requester is an owner from now on.',
  })
  @ApiData(BreakGlassResponse)
  @ApiProblems(NOT_OPEN)
  async approve(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<BreakGlassResponse>> {
    return this.answer(await this.breakGlass.approve(ctx, id));
  }

  @Post(':id/deny')
  @HttpCode(200)
  @Requires('break_glass:approve')
  @ApiParam(ID_PARAM)
  @ApiOperation({ operationId: 'denyBreakGlass', summary: 'Deny emergency access' })
  @ApiData(BreakGlassResponse)
  @ApiProblems(NOT_OPEN)
  async deny(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: DenyBreakGlassRequest,
  ): Promise<DataAnswer<BreakGlassResponse>> {
    return this.answer(await this.breakGlass.deny(ctx, id, body.note ?? null));
  }

  @Post(':id/end')
  @HttpCode(200)
  @Requires('break_glass:request')
  @ApiParam(ID_PARAM)
  @ApiOperation({
    operationId: 'endBreakGlass',
    summary: 'End emergency access',
    description: 'Before its time, or before it was granted.',
  })
  @ApiData(BreakGlassResponse)
  @ApiProblems(NOT_OPEN)
  async end(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<BreakGlassResponse>> {
    return this.answer(await this.breakGlass.end(ctx, id));
  }

  private answer(request: BreakGlassRequest): DataAnswer<BreakGlassResponse> {
    return { data: BreakGlassResponse.from(request, this.clock.now()) };
  }
}
