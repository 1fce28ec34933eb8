import { Controller, Delete, Get, HttpCode, Param, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, type RequestContext, sessionOf } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  BooleanQuery,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  OwnAccount,
  PageQuery,
  Post,
  SessionCookie,
  SkipIdempotency,
} from '#platform/http';
import type { Request, Response } from 'express';
import { OwnSessionsService } from './own-sessions.service.js';
import { OwnSessionResponse, RevokedSessionsResponse, SESSION_ID } from './session.responses.js';

export class RevokeOwnSessionsQuery {
  @BooleanQuery({ description: 'Whether to also revoke the current session.', default: false })
  includeCurrent?: boolean;
}

@ApiTags('Account')
@Controller('v1/auth')
export class OwnSessionsController {
  constructor(
    private readonly ownSessions: OwnSessionsService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('sessions')
  @OwnAccount()
  @ApiOperation({
    operationId: 'listOwnSessions',
    summary: 'List your sessions',
    description: 'Returns the active sessions of the signed-in user.',
  })
  @ApiList(OwnSessionResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<OwnSessionResponse>> {
    const page = await this.ownSessions.list(ctx, PageQuery.read(query));
    return listResponse(page, (session) => OwnSessionResponse.of(session, sessionOf(ctx).id));
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @OwnAccount()
  @ApiIdParam({ name: 'id', description: 'Id of the session.', example: SESSION_ID })
  @ApiOperation({
    operationId: 'revokeOwnSession',
    summary: 'Revoke one of your sessions',
    description:
      'Revokes a session of the signed-in user, which can be the current session. The session token stops working immediately. Publishes `security.session_revoked`.',
  })
  @ApiNoContentResponse({ description: 'The session was revoked.' })
  async revoke(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.ownSessions.revoke(ctx, id);
    if (id === sessionOf(ctx).id) this.clearCookie(request, response);
  }

  @Delete('sessions')
  @OwnAccount()
  @ApiOperation({
    operationId: 'revokeOwnSessions',
    summary: 'Revoke your other sessions',
    description:
      'Revokes all sessions of the signed-in user except the current session. Also invalidates unfinished sign-ins and the unused links that the service emailed to the user, such as links for password resets and email changes. Publishes `security.session_revoked` for each session.',
  })
  @ApiData(RevokedSessionsResponse, { description: 'The sessions were revoked.' })
  async revokeAll(
    @Ctx() ctx: RequestContext,
    @Query() { includeCurrent = false }: RevokeOwnSessionsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataResponse<RevokedSessionsResponse>> {
    const sessionsRevoked = await this.ownSessions.revokeAll(ctx, { includeCurrent });
    if (includeCurrent) this.clearCookie(request, response);
    return { data: { sessionsRevoked } };
  }

  @Post('logout')
  @HttpCode(204)
  @AllowedWhileSuspended({ forSuspendedCallers: true })
  @OwnAccount({ whileEnrolling: true, operators: true, whileImpersonating: true })
  @SkipIdempotency('The session is invalid afterwards.')
  @ApiOperation({
    operationId: 'logout',
    summary: 'Sign out',
    description: 'Ends the current session of a user or an operator. If the session belongs to a user, publishes `user.logout`.',
  })
  @ApiNoContentResponse({ description: 'The session was ended.' })
  async signOut(
    @Ctx() ctx: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.ownSessions.signOut(ctx);
    this.clearCookie(request, response);
  }

  private clearCookie(request: Request, response: Response): void {
    this.cookie.clear(request, response);
  }
}
