import { Body, Controller, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock, type RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, ApiProblems, Ctx, type DataResponse, Post, Requires } from '#platform/http';
import { RequestImpersonationRequest } from './impersonation.requests.js';
import { ImpersonationResponse } from './impersonation.responses.js';
import { POWER } from './impersonations.controller.js';
import { ImpersonationsService } from './impersonations.service.js';

@ApiTags('Impersonation')
@Controller('v1/organizations/:org/users/:userId/impersonations')
export class UserImpersonationsController {
  constructor(
    private readonly impersonations: ImpersonationsService,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Requires('users:impersonate')
  @ApiIdParam({ name: 'userId', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiOperation({
    operationId: 'requestImpersonation',
    summary: 'Request an impersonation',
    description: `Requests to sign in as a user for support. ${POWER} By the setting \`impersonationApproval\` of the organization that manages the user, the impersonation is \`approved\` and can start within an hour, or a second person or the user must approve it within 24 hours. API keys and OAuth clients can't impersonate users. Publishes \`user.impersonation_requested\`.`,
  })
  @ApiData(ImpersonationResponse, {
    status: 201,
    description: 'The request was created. Start the impersonation when it is approved.',
  })
  @ApiProblems({
    403: 'The caller does not have access to the organization that manages the user (`managed_elsewhere`), or the user has permissions that the caller does not have (`forbidden`).',
    409: 'You already have an open request or session for this user (`impersonation_open`), or the user is not active (`user_not_active`).',
  })
  async request(
    @Ctx() ctx: RequestContext,
    @Param('userId') userId: string,
    @Body() { reason, durationSeconds }: RequestImpersonationRequest,
  ): Promise<DataResponse<ImpersonationResponse>> {
    const impersonation = await this.impersonations.request(ctx, userId, reason, durationSeconds);
    return { data: ImpersonationResponse.from(impersonation, this.clock.now()) };
  }
}
