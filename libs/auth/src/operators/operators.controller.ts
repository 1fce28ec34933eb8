import { Body, Controller, HttpCode, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { AppConfig } from '#config';
import {
  ApiData,
  ApiProblems,
  Ctx,
  type DataAnswer,
  ExactTextField,
  Post,
  Requires,
  SessionCookie,
  SkipIdempotency,
} from '#http';
import type { Request, Response } from 'express';
import { operatorLinkPath, OperatorLinks } from './operator-links.service.js';
import { OperatorSessions } from './operator-sessions.service.js';

const TIME = { format: 'date-time', example: '2026-01-15T10:00:00.000Z' };

export class OpenOperatorSessionRequest {
  @ExactTextField({
    description: 'The token of the link, from its fragment.',
    required: true,
    maxLength: 100,
    example: 'dGhpcyBsZXRzIGFuIG9wZXJhdG9yIGluLCBvbmNlIG8',
  })
  token!: string;
}

export class OperatorSessionResponse {
  @ApiProperty({ ...TIME, description: 'The end, whatever the activity. Without use it ends after 20 minutes.' })
  expiresAt!: string;
}

export class OperatorLinkResponse {
  @ApiProperty({
    format: 'uri',
    description: 'Opens the dashboard, once.',
    example: 'http://localhost:3000/dashboard/first-hour#token=dGhpcyBsZXRzIGFuIG9wZXJhdG9yIGluLCBvbmNlIG8',
  })
  url!: string;
  @ApiProperty({ ...TIME, description: 'Until when it can be opened.' }) expiresAt!: string;
}

/** How operators come into the dashboard, without a key in the browser. */
@ApiTags('Sign-in')
@Controller('v1/auth')
export class OperatorsController {
  constructor(
    private readonly links: OperatorLinks,
    private readonly sessions: OperatorSessions,
    private readonly cookie: SessionCookie,
    private readonly config: AppConfig,
  ) {}

  @Post('operator-session')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('The link works once.')
  @ApiOperation({
    operationId: 'openOperatorSession',
    summary: 'Begin an operator session',
    description:
      "For the service's own pages: uses up the token of a link and puts a session into the session cookie, with which a platform key's operations can be called. It ends after an hour at the latest and can't be renewed.",
  })
  @ApiData(OperatorSessionResponse, { description: 'The session has begun; its token is in the cookie alone.' })
  @ApiProblems({
    401: 'The link was used already, or is older than an hour.',
    403: 'No page of this service asked for it.',
    429: 'Too many requests from this address.',
  })
  async begin(
    @Ctx() given: RequestContext,
    @Body() { token: linkToken }: OpenOperatorSessionRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataAnswer<OperatorSessionResponse>> {
    this.cookie.demandOwnPage(request);
    const { session, token } = await this.sessions.begin({ ...given, source: 'dashboard' }, linkToken);
    this.cookie.set(response, token, session.expiresAt);
    return { data: { expiresAt: session.expiresAt.toISOString() } };
  }

  @Post('operator-links')
  @Requires('sessions:write', { organization: 'none' })
  @SkipIdempotency('Each link works once.')
  @ApiOperation({
    operationId: 'createOperatorLink',
    summary: 'Make a link to the dashboard for an operator',
    description:
      'Platform keys only. Whoever opens it first, within an hour, may do in the dashboard what a platform key may, for an hour.',
  })
  @ApiData(OperatorLinkResponse, { status: 201, description: 'The link, shown this once.' })
  async createLink(@Ctx() ctx: RequestContext): Promise<DataAnswer<OperatorLinkResponse>> {
    const link = await this.links.request(ctx);
    return { data: { url: this.config.baseUrl + operatorLinkPath(link), expiresAt: link.expiresAt.toISOString() } };
  }
}
