import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { type RequestContext, sessionOf } from '#platform/common';
import { ApiData, Ctx, type DataResponse, OwnAccount } from '#platform/http';
import { CurrentSessionResponse } from './me.responses.js';

/** The session that authenticates the request. */
export class WhoIsThereResponse {
  @ApiProperty({
    description:
      'Type of the session. `user`: the session of a signed-in user. `operator`: the session of an operator who opened an operator link.',
    enum: ['user', 'operator'],
    example: 'user',
  })
  kind!: 'user' | 'operator';

  @ApiProperty({
    format: 'date-time',
    description: 'Latest time at which the session expires. Without activity, the session expires earlier.',
    example: '2026-02-14T09:00:00.000Z',
  })
  expiresAt!: string;

  @ApiPropertyOptional({
    description: 'Id of the signed-in user. Absent for an operator.',
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  userId?: string;
  @ApiPropertyOptional({ description: 'Session of the signed-in user. Absent for an operator.', type: CurrentSessionResponse })
  session?: CurrentSessionResponse;

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
    summary: 'Get the current session',
    description:
      'Returns the session that authenticates the request. The session belongs to a user or to an operator. Without a valid session, the response is 401. To get the profile of the user, use `GET /v1/auth/me`. If `mfaEnrolmentRequired` is true, the session can only be used to enroll an MFA factor, to get the signed-in user and to sign out.',
  })
  @ApiData(WhoIsThereResponse)
  get(@Ctx() ctx: RequestContext): DataResponse<WhoIsThereResponse> {
    return { data: WhoIsThereResponse.from(ctx) };
  }
}
