import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { type RequestContext, sessionOf } from '#common';
import { ApiData, Ctx, type DataAnswer, OwnAccount } from '#http';
import { CurrentSessionResponse } from './me.responses.js';

/** Whose session asks. */
export class WhoIsThereResponse {
  @ApiProperty({
    description: 'A signed-in user, or an operator who came by a link.',
    enum: ['user', 'operator'],
    example: 'user',
  })
  kind!: 'user' | 'operator';

  @ApiProperty({ format: 'date-time', description: 'The end, whatever the activity.', example: '2026-02-14T09:00:00.000Z' })
  expiresAt!: string;

  @ApiPropertyOptional({ description: 'Of a user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId?: string;
  @ApiPropertyOptional({ description: 'Of a user.', type: CurrentSessionResponse }) session?: CurrentSessionResponse;

  static from({ caller, operatorSession, ...ctx }: RequestContext): WhoIsThereResponse {
    if (operatorSession) return { kind: 'operator', expiresAt: operatorSession.expiresAt.toISOString() };
    const session = CurrentSessionResponse.from(sessionOf({ caller, ...ctx }));
    return { kind: 'user', expiresAt: session.expiresAt, userId: caller.id ?? '', session };
  }
}

@ApiTags('Account')
@Controller('v1/auth/session')
export class CurrentSessionController {
  @Get()
  @OwnAccount({ whileEnrolling: true, operators: true })
  @ApiOperation({
    operationId: 'getCurrentSession',
    summary: 'Ask whose session this is',
    description:
      "What a page asks first: a user's (`GET /v1/auth/me` tells more), an operator's, or nobody's (401). A session with `mfaEnrolmentRequired` may do nothing but add a second factor.",
  })
  @ApiData(WhoIsThereResponse)
  get(@Ctx() ctx: RequestContext): DataAnswer<WhoIsThereResponse> {
    return { data: WhoIsThereResponse.from(ctx) };
  }
}
