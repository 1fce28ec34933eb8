import { ApiProperty } from '@nestjs/swagger';
import { BREAK_GLASS_STATUSES, type BreakGlassRequest, type BreakGlassStatus } from './break-glass-request.entity.js';

const nullableTime = { type: 'string', format: 'date-time', nullable: true, example: '2026-01-15T11:00:00.000Z' } as const;

export class BreakGlassResponse {
  @ApiProperty({ example: 'bgr_01kf0000000000000000000000' }) id!: string;
  @ApiProperty({ example: 'org_01kf0000000000000000000000' }) organizationId!: string;
  @ApiProperty({ example: 'usr_01kf0000000000000000000000' }) requesterId!: string;
  @ApiProperty({ example: 'ada@example.com' }) requesterEmail!: string;
  @ApiProperty({ example: 'Production is down and no owner can be reached' }) reason!: string;
  @ApiProperty({ description: 'Role that the requester has during the access.', enum: ['owner'], example: 'owner' })
  role!: string;
  @ApiProperty({ description: 'Duration of the access in seconds, starting with the approval.', type: 'integer', example: 3_600 })
  durationSeconds!: number;
  @ApiProperty({
    description:
      '`pending`: the request waits for approval. `approved`: the access is active. `denied`: the request was denied. `expired`: the request was not approved or denied in time. `ended`: the access is over, or the request was ended before its approval.',
    enum: BREAK_GLASS_STATUSES,
    example: 'pending',
  })
  status!: BreakGlassStatus;
  @ApiProperty({
    description: 'Time until which the request can be approved or denied.',
    format: 'date-time',
    example: '2026-01-16T10:00:00.000Z',
  })
  expiresAt!: string;
  @ApiProperty({
    ...nullableTime,
    description: 'Time at which the request was approved or denied, or null if it was neither approved nor denied.',
  })
  decidedAt!: string | null;
  @ApiProperty({
    description:
      'Id of the user or platform key that approved or denied the request, or null if it was neither approved nor denied.',
    type: 'string',
    nullable: true,
    example: null,
  })
  decidedById!: string | null;
  @ApiProperty({
    description: 'Reason for the denial. Null if no reason was given.',
    type: 'string',
    nullable: true,
    example: null,
  })
  decisionNote!: string | null;
  @ApiProperty({
    ...nullableTime,
    description: 'Time at which the access ends automatically, or null if the request was not approved.',
  })
  endsAt!: string | null;
  @ApiProperty({
    ...nullableTime,
    description: 'Time at which the access ended, or at which the request ended before its approval. Null if neither ended.',
  })
  endedAt!: string | null;
  @ApiProperty({
    description:
      'Why the access or the pending request ended. `time_over`: the duration of the access is over. `returned`: the requester ended the access or the request. `withdrawn`: another caller ended the access or the request. `not_decided`: the request was not approved or denied in time. Null if neither the access nor the request ended.',
    type: 'string',
    nullable: true,
    example: null,
  })
  endedReason!: string | null;
  @ApiProperty({
    description:
      'Path of an API request that lists the events that the requester caused during the access, in this organization and its descendants. The API request requires the permission `events:read`. Null if the break-glass request was not approved.',
    type: 'string',
    nullable: true,
    example: null,
  })
  eventsUrl!: string | null;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) createdAt!: string;

  /** Returns a request with its status at `now`. The stored status can be outdated. */
  static from(request: BreakGlassRequest, now: Date): BreakGlassResponse {
    const { id, organizationId, requesterId, requesterEmail, reason, durationSeconds, decidedById, decisionNote } = request;
    const hasEnded = request.status === 'approved' && request.endsAt !== null && request.endsAt <= now;
    const hasExpired = request.status === 'pending' && request.expiresAt <= now;
    const endedAt = (hasEnded ? request.endsAt : hasExpired ? request.expiresAt : request.endedAt)?.toISOString() ?? null;
    return {
      id,
      organizationId,
      requesterId,
      requesterEmail,
      reason,
      role: 'owner',
      durationSeconds,
      status: hasEnded ? 'ended' : hasExpired ? 'expired' : request.status,
      expiresAt: request.expiresAt.toISOString(),
      decidedAt: request.decidedAt?.toISOString() ?? null,
      decidedById,
      decisionNote,
      endsAt: request.endsAt?.toISOString() ?? null,
      endedAt,
      endedReason: hasEnded ? 'time_over' : hasExpired ? 'not_decided' : request.endedReason,
      eventsUrl: eventsUrlOf(request, endedAt),
      createdAt: request.createdAt.toISOString(),
    };
  }
}

/** Returns the URL of the requester's events during the access, or null without an approval. */
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
