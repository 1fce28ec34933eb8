import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IMPERSONATION_APPROVALS, type ImpersonationApproval } from '#directory/organizations';
import { ImpersonatorResponse } from '#identity/session-access';
import {
  type Impersonation,
  IMPERSONATION_ENDS,
  IMPERSONATION_STATUSES,
  type ImpersonationEnd,
  type ImpersonationStatus,
} from './impersonation.entity.js';
import type { StartedImpersonation } from './impersonation-sessions.service.js';
import { statusAt } from './impersonation-status.js';

const TIME = { type: 'string', format: 'date-time', example: '2026-01-15T10:00:00.000Z' } as const;
const NULLABLE_TIME = { ...TIME, nullable: true } as const;

export class ImpersonationResponse {
  @ApiProperty({ example: 'imp_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({
    description: 'Id of the organization that manages the user. Use it in the paths of the other operations.',
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId!: string;
  @ApiProperty({ description: 'Id of the user as whom the impersonator signs in.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  userId!: string;
  @ApiProperty({ description: 'Id of the user who acts.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xz' }) impersonatorId!: string;
  @ApiProperty({
    description:
      'Email address of the impersonator at the time of the request. Empty after the impersonator was deleted permanently.',
    example: 'support@example.com',
  })
  impersonatorEmail!: string;
  @ApiProperty({ example: 'Ticket 4711: the invoice page is empty' }) reason!: string;
  @ApiProperty({ description: 'Duration of the session in seconds, starting with the sign-in.', type: 'integer', example: 1_800 })
  durationSeconds!: number;
  @ApiProperty({
    description: 'Who had to approve: the setting `impersonationApproval` at the time of the request.',
    enum: IMPERSONATION_APPROVALS,
    example: 'none',
  })
  approval!: ImpersonationApproval;
  @ApiProperty({
    description:
      '`pending`: the request waits for approval. `approved`: the impersonator can start. `active`: the impersonator is signed in as the user. `denied`: the request was denied. `expired`: the request was not approved or started in time. `ended`: the session is over, or the request was ended before the start.',
    enum: IMPERSONATION_STATUSES,
    example: 'active',
  })
  status!: ImpersonationStatus;
  @ApiProperty({ ...TIME, description: 'Time until which the request can be approved or, after the approval, started.' })
  expiresAt!: string;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Time of the approval or denial.' }) decidedAt!: string | null;
  @ApiProperty({
    description: 'Id of the user who approved or denied the request. Null without a decision.',
    type: 'string',
    nullable: true,
    example: null,
  })
  decidedById!: string | null;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Time of the sign-in.' }) startedAt!: string | null;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Time at which the session ends at the latest.' }) endsAt!: string | null;
  @ApiProperty({ ...NULLABLE_TIME, description: 'Time of the end.' }) endedAt!: string | null;
  @ApiProperty({
    description:
      'Why the impersonation or its request ended. `session_ended`: a session ended, or the impersonator may no longer act for the user.',
    type: 'string',
    enum: [...IMPERSONATION_ENDS, null],
    nullable: true,
    example: null,
  })
  endedReason!: ImpersonationEnd | null;
  @ApiProperty({ ...TIME, description: 'Time of the request.' }) createdAt!: string;

  /** Returns an impersonation with its status at `now`. The stored status can be outdated. */
  static from(impersonation: Impersonation, now: Date): ImpersonationResponse {
    const { id, organizationId, userId, impersonatorId, impersonatorEmail, reason, durationSeconds, approval } = impersonation;
    const time = (at: Date | null): string | null => at?.toISOString() ?? null;
    return {
      id,
      organizationId,
      userId,
      impersonatorId,
      impersonatorEmail,
      reason,
      durationSeconds,
      approval,
      status: statusAt(impersonation, now),
      expiresAt: impersonation.expiresAt.toISOString(),
      decidedAt: time(impersonation.decidedAt),
      decidedById: impersonation.decidedById,
      startedAt: time(impersonation.startedAt),
      endsAt: time(impersonation.endsAt),
      endedAt: time(impersonation.endedAt),
      endedReason: impersonation.endedReason,
      createdAt: impersonation.createdAt.toISOString(),
    };
  }
}

export class ImpersonationSessionResponse {
  @ApiProperty({ example: 'ses_01kf2bj5nyf3k7t9w1m4c8x6vd' }) id!: string;
  @ApiProperty({ description: 'Id of the user as whom the caller is signed in.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  userId!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the session ends at the latest.' }) expiresAt!: string;
  @ApiProperty({ description: 'The caller.', type: ImpersonatorResponse }) impersonator!: ImpersonatorResponse;
}

export class StartedImpersonationResponse {
  @ApiPropertyOptional({
    description:
      'Token of the session as the user, for `Authorization: Bearer <token>`. Shown only once. Absent if the token is in the session cookie.',
    example: 'Zm9yIGV4YW1wbGUgb25seSwgdGhpcyBvcGVucyBub3Q',
  })
  sessionToken?: string;
  @ApiProperty({ type: ImpersonationSessionResponse }) session!: ImpersonationSessionResponse;

  static from({ session, token, impersonator }: StartedImpersonation): StartedImpersonationResponse {
    return {
      sessionToken: token,
      session: {
        id: session.id,
        userId: session.userId,
        expiresAt: session.expiresAt.toISOString(),
        impersonator: ImpersonatorResponse.from(impersonator),
      },
    };
  }
}
