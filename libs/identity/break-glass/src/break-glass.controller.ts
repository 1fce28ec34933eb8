import { Body, Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock, RECENT_SIGN_IN_OR_PLATFORM_KEY, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import type { BreakGlassRequest } from './break-glass-request.entity.js';
import { DenyBreakGlassRequest, ListBreakGlassQuery, RequestBreakGlassRequest } from './break-glass.requests.js';
import { BreakGlassResponse } from './break-glass.responses.js';
import { BreakGlassService } from './break-glass.service.js';

const ID_PARAM = { name: 'id', description: 'Id of the break-glass request.', example: 'bgr_01kf0000000000000000000000' };
const NOT_PENDING = {
  409: 'The request has already been approved or denied, has ended or has expired (`break_glass_not_open`).',
};
const NOT_OPEN = { 409: 'The request has already been denied, has ended or has expired (`break_glass_not_open`).' };

@ApiTags('Break glass')
@Controller('v1/organizations/:org/break-glass')
export class BreakGlassController {
  constructor(
    private readonly breakGlass: BreakGlassService,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Requires('break_glass:request')
  @ApiOperation({
    operationId: 'requestBreakGlass',
    summary: 'Request break-glass access',
    description:
      'Requests owner permissions for a limited time. Only a user with a session can request break-glass access; an API key cannot. All owners are notified by email. A user other than the requester, or a caller with a platform key, must approve the request within 24 hours. Publishes `security.break_glass_requested`.',
  })
  @ApiData(BreakGlassResponse, {
    status: 201,
    description: 'The request was created. The requester has no additional permissions until the request is approved.',
  })
  @ApiProblems({ 409: 'You already have an open break-glass request in this organization (`break_glass_open`).' })
  async request(@Ctx() ctx: RequestContext, @Body() body: RequestBreakGlassRequest): Promise<DataResponse<BreakGlassResponse>> {
    return this.responseOf(await this.breakGlass.request(ctx, body.reason, body.durationSeconds));
  }

  @Get()
  @Requires('break_glass:request')
  @ApiOperation({
    operationId: 'listBreakGlassRequests',
    summary: 'List break-glass requests',
    description: 'Lists the break-glass requests of the organization, newest first.',
  })
  @ApiList(BreakGlassResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListBreakGlassQuery): Promise<ListResponse<BreakGlassResponse>> {
    const page = await this.breakGlass.list(ctx, PageQuery.read(query), query.status);
    return listResponse(page, (request) => BreakGlassResponse.from(request, this.clock.now()));
  }

  @Get(':id')
  @Requires('break_glass:request')
  @ApiIdParam(ID_PARAM)
  @ApiOperation({ operationId: 'getBreakGlassRequest', summary: 'Get a break-glass request' })
  @ApiData(BreakGlassResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<BreakGlassResponse>> {
    return this.responseOf(await this.breakGlass.get(ctx, id));
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Requires('break_glass:approve')
  @ApiIdParam(ID_PARAM)
  @ApiOperation({
    operationId: 'approveBreakGlass',
    summary: 'Approve a break-glass request',
    description:
      "Makes the requester an owner of the organization, starting now, for the `durationSeconds` of the break-glass request. Notifies all owners by email. The caller must use a platform key, or the session of a user other than the requester. A user who is an owner only through break-glass access can't approve a break-glass request (403 `second_person_required`). " +
      RECENT_SIGN_IN_OR_PLATFORM_KEY +
      ' Publishes `role.assigned`.',
  })
  @ApiData(BreakGlassResponse)
  @ApiProblems(NOT_PENDING)
  async approve(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<BreakGlassResponse>> {
    return this.responseOf(await this.breakGlass.approve(ctx, id));
  }

  @Post(':id/deny')
  @HttpCode(200)
  @Requires('break_glass:approve')
  @ApiIdParam(ID_PARAM)
  @ApiOperation({
    operationId: 'denyBreakGlass',
    summary: 'Deny a break-glass request',
    description:
      "Denies a break-glass request. The caller must use a platform key, or the session of a user other than the requester. A user who is an owner only through break-glass access can't deny a break-glass request (403 `second_person_required`). Publishes `security.suspicious_activity` with the rule `break_glass_denied`.",
  })
  @ApiData(BreakGlassResponse)
  @ApiProblems(NOT_PENDING)
  async deny(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: DenyBreakGlassRequest,
  ): Promise<DataResponse<BreakGlassResponse>> {
    return this.responseOf(await this.breakGlass.deny(ctx, id, body.note ?? null));
  }

  @Post(':id/end')
  @HttpCode(200)
  @Requires('break_glass:request')
  @ApiIdParam(ID_PARAM)
  @ApiOperation({
    operationId: 'endBreakGlass',
    summary: 'End break-glass access',
    description:
      'Ends approved access early, or ends a pending request. Callers other than the requester also need the permission `break_glass:approve`. Publishes `security.break_glass_ended` and, if access was granted, `role.revoked`.',
  })
  @ApiData(BreakGlassResponse)
  @ApiProblems(NOT_OPEN)
  async end(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<BreakGlassResponse>> {
    return this.responseOf(await this.breakGlass.end(ctx, id));
  }

  private responseOf(request: BreakGlassRequest): DataResponse<BreakGlassResponse> {
    return { data: BreakGlassResponse.from(request, this.clock.now()) };
  }
}
