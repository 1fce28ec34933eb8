import { Controller, Delete, Get, HttpCode, Param, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, type RequestContext, sessionOf } from '#common';
import {
  ApiData,
  ApiList,
  BooleanQuery,
  Ctx,
  type DataAnswer,
  type ListAnswer,
  listAnswer,
  OwnAccount,
  PageQuery,
  Post,
  SessionCookie,
  SkipIdempotency,
} from '#http';
import type { Request, Response } from 'express';
import { OwnSessions } from './own-sessions.service.js';
import { OwnSessionResponse, RevokedSessionsResponse, SESSION_ID } from './session.responses.js';
import { SignOut } from './sign-out.service.js';

export class RevokeOwnSessionsQuery {
  @BooleanQuery({ description: 'Ends the session that asks, too.', default: false })
  includeCurrent?: boolean;
}

@ApiTags('Account')
@Controller('v1/auth')
export class OwnSessionsController {
  constructor(
    private readonly sessions: OwnSessions,
    private readonly ending: SignOut,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('sessions')
  @OwnAccount()
  @ApiOperation({ operationId: 'listOwnSessions', summary: 'List the sessions of the signed-in user' })
  @ApiList(OwnSessionResponse)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListAnswer<OwnSessionResponse>> {
    const page = await this.sessions.page(ctx, PageQuery.read(query));
    return listAnswer(page, (session) => OwnSessionResponse.of(session, sessionOf(ctx).id));
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @OwnAccount()
  @ApiParam({ name: 'id', description: 'The session.', example: SESSION_ID })
  @ApiOperation({ operationId: 'revokeOwnSession', summary: 'End one of the own sessions' })
  @ApiNoContentResponse({ description: 'Ended; its token works nowhere any more.' })
  async revoke(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.revoke(ctx, id);
    if (id === sessionOf(ctx).id) this.forget(request, response);
  }

  @Delete('sessions')
  @OwnAccount()
  @ApiOperation({ operationId: 'revokeOwnSessions', summary: 'End all own sessions but the one that asks' })
  @ApiData(RevokedSessionsResponse, { description: 'Ended.' })
  async revokeAll(
    @Ctx() ctx: RequestContext,
    @Query() { includeCurrent = false }: RevokeOwnSessionsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataAnswer<RevokedSessionsResponse>> {
    const sessionsRevoked = await this.sessions.revokeAll(ctx, { includeCurrent });
    if (includeCurrent) this.forget(request, response);
    return { data: { sessionsRevoked } };
  }

  @Post('logout')
  @HttpCode(204)
  @AllowedWhileSuspended({ byItsOwn: true })
  @OwnAccount({ whileEnrolling: true, operators: true })
  @SkipIdempotency('The session works no more afterwards.')
  @ApiOperation({ operationId: 'logout', summary: 'Sign out: end the session that asks' })
  @ApiNoContentResponse({ description: 'Signed out.' })
  async signOut(
    @Ctx() ctx: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.ending.run(ctx);
    this.forget(request, response);
  }

  /** Has the browser forget the session that asked and is over now. */
  private forget(request: Request, response: Response): void {
    if (this.cookie.tokenOf(request) !== undefined) this.cookie.clear(response);
  }
}
