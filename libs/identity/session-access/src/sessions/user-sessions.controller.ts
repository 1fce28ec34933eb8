import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, type RequestContext } from '#platform/common';
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
  Requires,
} from '#platform/http';
import { RevokedSessionsResponse, SESSION_ID, SessionResponse } from './session.responses.js';
import { UserSessionsService } from './user-sessions.service.js';

const USER = { name: 'userId', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };
const MANAGED_ELSEWHERE = {
  403: 'The caller is not allowed to manage the user (`forbidden`), or does not have access to the organization that manages the user (`managed_elsewhere`).',
};

@ApiTags('Users')
@ApiIdParam(USER)
@Controller('v1/organizations/:org/users/:userId/sessions')
export class UserSessionsController {
  constructor(private readonly userSessions: UserSessionsService) {}

  @Get()
  @Requires('sessions:read')
  @ApiOperation({
    operationId: 'listUserSessions',
    summary: "List a user's sessions",
    description:
      'Returns the active sessions of a user, with IP addresses and user agents. The caller must have access to the organization that manages the user.',
  })
  @ApiList(SessionResponse)
  @ApiProblems(MANAGED_ELSEWHERE)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('userId') userId: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<SessionResponse>> {
    return listResponse(await this.userSessions.list(ctx, userId, PageQuery.read(query)), (session) =>
      SessionResponse.from(session),
    );
  }

  @Delete(':sessionId')
  @HttpCode(204)
  @AllowedWhileSuspended()
  @Requires('sessions:write')
  @ApiIdParam({ name: 'sessionId', description: 'Id of the session.', example: SESSION_ID })
  @ApiOperation({
    operationId: 'revokeUserSession',
    summary: "Revoke a user's session",
    description:
      'Revokes a session of a user. The session token stops working immediately. The caller must have every permission that the user has. Publishes `security.session_revoked`.',
  })
  @ApiNoContentResponse({ description: 'The session was revoked.' })
  @ApiProblems(MANAGED_ELSEWHERE)
  async revoke(
    @Ctx() ctx: RequestContext,
    @Param('userId') userId: string,
    @Param('sessionId') sessionId: string,
  ): Promise<void> {
    await this.userSessions.revoke(ctx, userId, sessionId);
  }

  @Delete()
  @AllowedWhileSuspended()
  @Requires('sessions:write')
  @ApiOperation({
    operationId: 'revokeUserSessions',
    summary: "Revoke all of a user's sessions",
    description:
      'Revokes all sessions of a user. Also invalidates unfinished sign-ins and the unused links that the service emailed to the user, such as links for password resets and email changes. The caller must have every permission that the user has. Publishes `security.session_revoked` for each session.',
  })
  @ApiData(RevokedSessionsResponse, { description: 'The sessions were revoked.' })
  @ApiProblems(MANAGED_ELSEWHERE)
  async revokeAll(@Ctx() ctx: RequestContext, @Param('userId') userId: string): Promise<DataResponse<RevokedSessionsResponse>> {
    return { data: { sessionsRevoked: await this.userSessions.revokeAll(ctx, userId) } };
  }
}
