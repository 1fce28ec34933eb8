import { ApiProperty } from '@nestjs/swagger';
import { BREAK_GLASS_STATUSES, type BreakGlassRequest, type BreakGlassStatus } from './break-glass-request.entity.js';

const moment = { type: 'string', format: 'date-time', nullable: true, example: '2026-01-15T11:00:00.000Z' } as const;

/** A request for emergency access, as it stands at this moment. */
export class BreakGlassResponse {
  @ApiProperty({ example: 'bgr_01kf0000000000000000000000' }) id!: string;
  @ApiProperty({ example: 'org_01kf0000000000000000000000' }) organizationId!: string;
  @ApiProperty({ example: 'usr_01kf0000000000000000000000' }) requesterId!: string;
  @ApiProperty({ example: 'ada@example.com' }) requesterEmail!: string;
  @ApiProperty({ example: 'Production is down and no owner can be reached' }) reason!: string;
  @ApiProperty({ description: 'The role that it grants.', enum: ['owner'], example: 'owner' }) role!: string;
  @ApiProperty({ type: 'integer', example: 3_600 }) durationSeconds!: number;
  @ApiProperty({ enum: BREAK_GLASS_STATUSES, example: 'pending' }) status!: BreakGlassStatus;
  @ApiProperty({ description: 'Until then somebody has to decide.', format: 'date-time', example: '2026-01-16T10:00:00.000Z' })
  expiresAt!: string;
  @ApiProperty(moment) decidedAt!: string | null;
  @ApiProperty({ description: 'The user or platform key that decided.', type: 'string', nullable: true, example: null })
  decidedById!: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: null }) decisionNote!: string | null;
  @ApiProperty({ ...moment, description: 'When the access ends by itself.' }) endsAt!: string | null;
  @ApiProperty(moment) endedAt!: string | null;
  @ApiProperty({
    description: '`time_over`, `returned` by the requester, `withdrawn` by somebody else, or `not_decided` in time.',
    type: 'string',
    nullable: true,
    example: null,
  })
  endedReason!: string | null;
  @ApiProperty({
    description:
      'Once it was approved: the path that lists what the requester did here and in the organizations below while they had the access. Needs `events:read`.',
    type: 'string',
    nullable: true,
    example: null,
  })
  eventsUrl!: string | null;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) createdAt!: string;

  /** What time has ended is shown so, even before it is written down. */
  static from(request: BreakGlassRequest, now: Date): BreakGlassResponse {
    const { id, organizationId, requesterId, requesterEmail, reason, durationSeconds, decidedById, decisionNote } = request;
    const isOver = request.status === 'approved' && request.endsAt !== null && request.endsAt <= now;
    const isLate = request.status === 'pending' && request.expiresAt <= now;
    const endedAt = (isOver ? request.endsAt : isLate ? request.expiresAt : request.endedAt)?.toISOString() ?? null;
    return {
      id,
      organizationId,
      requesterId,
      requesterEmail,
      reason,
      role: 'owner',
      durationSeconds,
      status: isOver ? 'ended' : isLate ? 'expired' : request.status,
      expiresAt: request.expiresAt.toISOString(),
      decidedAt: request.decidedAt?.toISOString() ?? null,
      decidedById,
      decisionNote,
      endsAt: request.endsAt?.toISOString() ?? null,
      endedAt,
      endedReason: isOver ? 'time_over' : isLate ? 'not_decided' : request.endedReason,
      eventsUrl: eventsUrlOf(request, endedAt),
      createdAt: request.createdAt.toISOString(),
    };
  }
}

/** Null for a request that never granted anything. */
function eventsUrlOf(
  { organizationId, requesterId, decidedAt, endsAt }: BreakGlassRequest,
  endedAt: string | null,
): string | null {
  if (!decidedAt || !endsAt) return null;
  const since = decidedAt.toISOString();
  const until = endedAt ?? endsAt.toISOString();
  const query = new URLSearchParams({ actorId: requesterId, since, until, includeDescendants: 'true' });
  return `/v1/organizations/${organizationId}/events?${query}`;
}
