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
  OwnAccount,
  PageQuery,
  Post,
} from '#platform/http';
import { ImpersonationSessionsService } from './impersonation-sessions.service.js';
import type { Impersonation } from './impersonation.entity.js';
import { ImpersonationResponse } from './impersonation.responses.js';
import { IMPERSONATION_ID, NOT_PENDING } from './impersonations.controller.js';
import { ImpersonationsService } from './impersonations.service.js';

@ApiTags('Account')
@Controller('v1/auth/impersonations')
export class OwnImpersonationsController {
  constructor(
    private readonly impersonations: ImpersonationsService,
    private readonly impersonationSessions: ImpersonationSessionsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @OwnAccount()
  @ApiOperation({
    operationId: 'listOwnImpersonations',
    summary: 'List who signed in as you',
    description: 'Lists who signed in, or asked to sign in, as the signed-in user for support, newest first.',
  })
  @ApiList(ImpersonationResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<ImpersonationResponse>> {
    const page = await this.impersonations.listOwn(ctx, PageQuery.read(query));
    return listResponse(page, (impersonation) => ImpersonationResponse.from(impersonation, this.clock.now()));
  }

  @Post(':id/approve')
  @HttpCode(200)
  @OwnAccount()
  @ApiIdParam(IMPERSONATION_ID)
  @ApiOperation({
    operationId: 'approveOwnImpersonation',
    summary: 'Allow somebody to sign in as you',
    description:
      'Approves a request with the approval `user`. You must have signed in or confirmed your identity in the last 10 minutes; otherwise the response is 401 `reauthentication_required`. Publishes `user.impersonation_approved`.',
  })
  @ApiData(ImpersonationResponse)
  @ApiProblems({ ...NOT_PENDING, 403: 'A second person must approve the request (`forbidden`).' })
  async approve(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ImpersonationResponse>> {
    return this.responseOf(await this.impersonations.decideOwn(ctx, id, 'approved'));
  }

  @Post(':id/deny')
  @HttpCode(200)
  @OwnAccount()
  @ApiIdParam(IMPERSONATION_ID)
  @ApiOperation({
    operationId: 'denyOwnImpersonation',
    summary: "Don't allow somebody to sign in as you",
    description: 'Denies a request that waits for an approval. Publishes `user.impersonation_denied`.',
  })
  @ApiData(ImpersonationResponse)
  @ApiProblems(NOT_PENDING)
  async deny(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ImpersonationResponse>> {
    return this.responseOf(await this.impersonations.decideOwn(ctx, id, 'denied'));
  }

  @Post(':id/end')
  @HttpCode(200)
  @OwnAccount()
  @ApiIdParam(IMPERSONATION_ID)
  @ApiOperation({
    operationId: 'endOwnImpersonation',
    summary: 'End the session of somebody who signed in as you',
    description:
      'Ends the session of an impersonator at once, or ends a request. Publishes `user.impersonation_ended` and, if the impersonator was signed in, `security.session_revoked`.',
  })
  @ApiData(ImpersonationResponse)
  @ApiProblems({ 409: 'The impersonation has already ended, was denied or has expired (`impersonation_not_open`).' })
  async end(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ImpersonationResponse>> {
    return this.responseOf(await this.impersonationSessions.endOwn(ctx, id));
  }

  private responseOf(impersonation: Impersonation): DataResponse<ImpersonationResponse> {
    return { data: ImpersonationResponse.from(impersonation, this.clock.now()) };
  }
}
