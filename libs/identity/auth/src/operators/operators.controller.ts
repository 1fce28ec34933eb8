import { Body, Controller, HttpCode, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import {
  ApiData,
  ApiProblems,
  Ctx,
  type DataResponse,
  ExactTextField,
  Post,
  Requires,
  SessionCookie,
  SkipIdempotency,
} from '#platform/http';
import type { Request, Response } from 'express';
import { operatorLinkPath, OperatorsService } from './operators.service.js';

const TIME = { format: 'date-time', example: '2026-01-15T10:00:00.000Z' };

export class OpenOperatorSessionRequest {
  @ExactTextField({
    description: 'Token from the fragment of the operator link.',
    required: true,
    maxLength: 100,
    example: 'kH3v9QxT0bLr2mYc7WnZp5sEaJf8UgDi1oRtKqXy4Vw',
  })
  token!: string;
}

export class OperatorSessionResponse {
  @ApiProperty({
    ...TIME,
    description: 'Latest time at which the session expires. After 20 minutes without activity, the session expires earlier.',
  })
  expiresAt!: string;
}

export class OperatorLinkResponse {
  @ApiProperty({
    format: 'uri',
    description: 'Single-use URL that opens the dashboard.',
    example: 'http://localhost:3000/dashboard/getting-started#token=kH3v9QxT0bLr2mYc7WnZp5sEaJf8UgDi1oRtKqXy4Vw',
  })
  url!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the link expires.' }) expiresAt!: string;
}

/** Lets operators use the dashboard without a platform key in the browser. */
@ApiTags('Sign-in')
@Controller('v1/auth')
export class OperatorsController {
  constructor(
    private readonly operators: OperatorsService,
    private readonly cookie: SessionCookie,
    private readonly config: AppConfig,
  ) {}

  @Post('operator-session')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('The link works once.')
  @ApiOperation({
    operationId: 'openOperatorSession',
    summary: 'Open an operator session',
    description:
      "Opens a session with the permissions of a platform key, and stores the session token in the session cookie. The token comes from an operator link, which is a link to the dashboard for the operator. The token works only once. The session expires after 1 hour, or after 20 minutes without activity, and cannot be renewed. Only the service's own pages can call this operation.",
  })
  @ApiData(OperatorSessionResponse, {
    description: 'The session was opened. Only the session cookie contains the session token.',
  })
  @ApiProblems({
    401: 'The operator link was already used or has expired (`operator_link_invalid`).',
    403: "The request does not come from one of the service's own pages (`cross_origin`).",
    429: 'Too many requests from this IP address.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { token: linkToken }: OpenOperatorSessionRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataResponse<OperatorSessionResponse>> {
    this.cookie.assertOwnPage(request);
    const { session, token } = await this.operators.createSession({ ...ctx, source: 'dashboard' }, linkToken);
    this.cookie.set(response, token, session.expiresAt);
    return { data: { expiresAt: session.expiresAt.toISOString() } };
  }

  @Post('operator-links')
  @Requires('sessions:write', { organization: 'none' })
  @SkipIdempotency('Each link works once.')
  @ApiOperation({
    operationId: 'createOperatorLink',
    summary: 'Create an operator link',
    description:
      'Returns a link to the dashboard. The link works once and expires after 1 hour. The person who opens the link gets an operator session. The operator session has the permissions of a platform key and ends 1 hour after the link was opened, or earlier. Only a platform key can create an operator link.',
  })
  @ApiData(OperatorLinkResponse, { status: 201, description: 'The link, which is returned only once.' })
  async createLink(@Ctx() ctx: RequestContext): Promise<DataResponse<OperatorLinkResponse>> {
    const link = await this.operators.requestLink(ctx);
    return { data: { url: this.config.baseUrl + operatorLinkPath(link), expiresAt: link.expiresAt.toISOString() } };
  }
}
