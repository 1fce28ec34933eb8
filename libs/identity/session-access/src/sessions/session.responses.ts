import { ApiProperty } from '@nestjs/swagger';
import type { Session } from '#directory/sessions';

export const SESSION_ID = 'ses_01kf2bj5nyf3k7t9w1m4c8x6vd';
const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };

/** A session without its token. */
export class SessionResponse {
  @ApiProperty({ example: SESSION_ID }) id!: string;

  @ApiProperty({ description: 'Id of the organization that the user signed in to.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;

  @ApiProperty({
    description: 'IP address at sign-in. Null for impersonations.',
    type: 'string',
    nullable: true,
    example: '203.0.113.7',
  })
  ipAddress!: string | null;

  @ApiProperty({
    description: 'User agent at sign-in. Null for impersonations.',
    type: 'string',
    nullable: true,
    example: 'Mozilla/5.0 …',
  })
  userAgent!: string | null;

  @ApiProperty({ description: 'Methods with which the user authenticated.', type: [String], example: ['password', 'totp'] })
  authenticationMethods!: string[];

  @ApiProperty({ ...TIME, description: 'Time of the sign-in.' }) createdAt!: string;
  @ApiProperty({ ...TIME, description: 'Time of the last activity, accurate to one minute.' }) lastSeenAt!: string;
  @ApiProperty({
    ...TIME,
    description:
      'Latest time at which the session expires. Without activity, the session expires earlier, after the time in the setting `sessionTimeout`.',
    example: '2026-02-14T09:00:00.000Z',
  })
  expiresAt!: string;

  @ApiProperty({
    description: 'Id of the impersonation, if another user acts in this session for support. Null for a session of the user.',
    type: 'string',
    nullable: true,
    example: null,
  })
  impersonationId!: string | null;

  static from(session: Session): SessionResponse {
    const { id, organizationId, ipAddress, userAgent, authenticationMethods, createdAt, lastSeenAt, expiresAt } = session;
    return {
      id,
      organizationId,
      ipAddress,
      userAgent,
      authenticationMethods: [...authenticationMethods],
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      impersonationId: session.impersonator?.impersonationId ?? null,
    };
  }
}

export class OwnSessionResponse extends SessionResponse {
  @ApiProperty({ description: 'Whether this is the session of the request.' }) current!: boolean;

  static of(session: Session, currentId: string): OwnSessionResponse {
    return { ...SessionResponse.from(session), current: session.id === currentId };
  }
}

export class RevokedSessionsResponse {
  @ApiProperty({ description: 'Number of sessions that were revoked.', type: 'integer', example: 2 }) sessionsRevoked!: number;
}
