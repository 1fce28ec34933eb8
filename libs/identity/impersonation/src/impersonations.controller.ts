import { Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  OpensSession,
  PageQuery,
  Post,
  Requires,
  SkipIdempotency,
} from '#platform/http';
import { ImpersonationSessionsService } from './impersonation-sessions.service.js';
import type { Impersonation } from './impersonation.entity.js';
import { ListImpersonationsQuery } from './impersonation.requests.js';
import { ImpersonationResponse, StartedImpersonationResponse } from './impersonation.responses.js';
import { ImpersonationsService } from './impersonations.service.js';

export const IMPERSONATION_ID = {
  name: 'id',
  description: 'Id of the impersonation.',
  example: 'imp_01kf2bav4hf7r8v2m5n9q1c3ek',
};
export const NOT_PENDING = {
  409: 'The request has already been approved or denied, has ended or has expired (`impersonation_not_open`).',
};
export const POWER =
  "The caller must be a signed-in user with a recent sign-in, who has every permission that the user has, in every organization where the user has it. Permissions from break-glass access don't count. The session of the caller must satisfy the rules of the organization that manages the user.";

@ApiTags('Impersonation')
@Controller('v1/organizations/:org/impersonations')
export class ImpersonationsController {
  constructor(
    private readonly impersonations: ImpersonationsService,
    private readonly impersonationSessions: ImpersonationSessionsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('users:impersonate')
  @ApiOperation({
    operationId: 'listImpersonations',
    summary: 'List impersonations',
    description: 'Lists the impersonations of users whom the organization manages, newest first.',
  })
  @ApiList(ImpersonationResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListImpersonationsQuery): Promise<ListResponse<ImpersonationResponse>> {
    const page = await this.impersonations.list(ctx, PageQuery.read(query), query);
    return listResponse(page, (impersonation) => ImpersonationResponse.from(impersonation, this.clock.now()));
  }

  @Get(':id')
  @Requires('users:impersonate')
  @ApiIdParam(IMPERSONATION_ID)
  @ApiOperation({ operationId: 'getImpersonation', summary: 'Get an impersonation' })
  @ApiData(ImpersonationResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ImpersonationResponse>> {
    return this.responseOf(await this.impersonations.get(ctx, id));
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Requires('users:impersonate')
  @ApiIdParam(IMPERSONATION_ID)
  @ApiOperation({
    operationId: 'approveImpersonation',
    summary: 'Approve an impersonation',
    description: `Approves a request with the approval \`second_person\`. Nobody can approve their own request. ${POWER} The impersonator must start within an hour. Publishes \`user.impersonation_approved\`.`,
  })
  @ApiData(ImpersonationResponse)
  @ApiProblems(NOT_PENDING)
  async approve(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ImpersonationResponse>> {
    return this.responseOf(await this.impersonations.decide(ctx, id, 'approved'));
  }

  @Post(':id/deny')
  @HttpCode(200)
  @Requires('users:impersonate')
  @ApiIdParam(IMPERSONATION_ID)
  @ApiOperation({
    operationId: 'denyImpersonation',
    summary: 'Deny an impersonation',
    description:
      'Denies a request with the approval `second_person`. Nobody can deny their own request; end it instead. Publishes `user.impersonation_denied`.',
  })
  @ApiData(ImpersonationResponse)
  @ApiProblems(NOT_PENDING)
  async deny(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ImpersonationResponse>> {
    return this.responseOf(await this.impersonations.decide(ctx, id, 'denied'));
  }

  @Post(':id/start')
  @Requires('users:impersonate')
  @OpensSession()
  @SkipIdempotency('Each impersonation can start only once.')
  @ApiIdParam(IMPERSONATION_ID)
  @ApiOperation({
    operationId: 'startImpersonation',
    summary: 'Start an impersonation',
    description: `Signs the caller in as the user, once, for the \`durationSeconds\` of the impersonation. Only the user who requested the impersonation can start it. ${POWER} The session ends at the latest at \`expiresAt\`, and at once when the session of the caller ends, when the caller loses the permission or a permission that the user has, or when the user is suspended. It can't be used for operations that need a recent sign-in, and not for the credentials, sessions and account of the user (403 \`not_while_impersonating\`). Notifies the user by email. Publishes \`user.impersonation_started\`.`,
  })
  @ApiData(StartedImpersonationResponse, { status: 201, description: 'The caller is signed in as the user.' })
  @ApiProblems({
    409: 'The impersonation is not approved, or was already started, or the organization has changed who must approve (`impersonation_not_open`). Or the user is not active (`user_not_active`).',
  })
  async start(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<StartedImpersonationResponse>> {
    return { data: StartedImpersonationResponse.from(await this.impersonationSessions.start(ctx, id)) };
  }

  @Post(':id/end')
  @HttpCode(200)
  @Requires('users:impersonate')
  @ApiIdParam(IMPERSONATION_ID)
  @ApiOperation({
    operationId: 'endImpersonation',
    summary: 'End an impersonation',
    description:
      'Ends the session of an impersonator at once, or ends a request. The impersonator can also sign out of the session. Publishes `user.impersonation_ended` and, if the impersonator was signed in, `security.session_revoked`.',
  })
  @ApiData(ImpersonationResponse)
  @ApiProblems({ 409: 'The impersonation has already ended, was denied or has expired (`impersonation_not_open`).' })
  async end(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ImpersonationResponse>> {
    return this.responseOf(await this.impersonationSessions.end(ctx, id));
  }

  private responseOf(impersonation: Impersonation): DataResponse<ImpersonationResponse> {
    return { data: ImpersonationResponse.from(impersonation, this.clock.now()) };
  }
}
