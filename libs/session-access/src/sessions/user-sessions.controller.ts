import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, type RequestContext } from '#common';
import { ApiData, ApiList, ApiProblems, Ctx, type DataAnswer, type ListAnswer, listAnswer, PageQuery, Requires } from '#http';
import { RevokedSessionsResponse, SESSION_ID, SessionResponse } from './session.responses.js';
import { UserSessions } from './user-sessions.service.js';

const USER = { name: 'userId', description: 'The user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };
const MANAGED_ELSEWHERE = { 403: 'The permission is missing, or the user is managed by an organization out of reach.' };

@ApiTags('Users')
@ApiParam(USER)
@Controller('v1/organizations/:org/users/:userId/sessions')
export class UserSessionsController {
  constructor(private readonly sessions: UserSessions) {}

  @Get()
  @Requires('sessions:read')
  @ApiOperation({
    operationId: 'listUserSessions',
    summary: 'List the sessions of a user',
    description: 'With the devices and addresses they were opened from; only for users that are managed within reach.',
  })
  @ApiList(SessionResponse)
  @ApiProblems(MANAGED_ELSEWHERE)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('userId') userId: string,
    @Query() query: PageQuery,
  ): Promise<ListAnswer<SessionResponse>> {
    return listAnswer(await this.sessions.page(ctx, userId, PageQuery.read(query)), (session) => SessionResponse.from(session));
  }

  @Delete(':sessionId')
  @HttpCode(204)
  @AllowedWhileSuspended()
  @Requires('sessions:write')
  @ApiParam({ name: 'sessionId', description: 'The session.', example: SESSION_ID })
  @ApiOperation({ operationId: 'revokeUserSession', summary: 'End a session of a user' })
  @ApiNoContentResponse({ description: 'Ended; its token works nowhere any more.' })
  @ApiProblems(MANAGED_ELSEWHERE)
  async revoke(
    @Ctx() ctx: RequestContext,
    @Param('userId') userId: string,
    @Param('sessionId') sessionId: string,
  ): Promise<void> {
    await this.sessions.revoke(ctx, userId, sessionId);
  }

  @Delete()
  @AllowedWhileSuspended()
  @Requires('sessions:write')
  @ApiOperation({ operationId: 'revokeUserSessions', summary: 'End all sessions of a user' })
  @ApiData(RevokedSessionsResponse, { description: 'Ended.' })
  @ApiProblems(MANAGED_ELSEWHERE)
  async revokeAll(@Ctx() ctx: RequestContext, @Param('userId') userId: string): Promise<DataAnswer<RevokedSessionsResponse>> {
    return { data: { sessionsRevoked: await this.sessions.revokeAll(ctx, userId) } };
  }
}
