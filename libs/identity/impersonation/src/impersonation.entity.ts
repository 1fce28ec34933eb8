import type { ImpersonationApproval } from '#directory/organizations';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * `approved`: the impersonator can start. `expired`: nobody approved the request in time, or the impersonator did not start in time. `ended`:
 * the session is over, or somebody ended the request before the start.
 */
export const IMPERSONATION_STATUSES = ['pending', 'approved', 'active', 'denied', 'expired', 'ended'] as const;
export type ImpersonationStatus = (typeof IMPERSONATION_STATUSES)[number];

/**
 * `session_ended`: the impersonator signed out, the session of the user or of the impersonator ended, or the impersonator may no longer act
 * for the user.
 */
export const IMPERSONATION_ENDS = [
  'time_over',
  'not_started',
  'ended_by_impersonator',
  'ended_by_user',
  'ended_by_administrator',
  'session_ended',
] as const;
export type ImpersonationEnd = (typeof IMPERSONATION_ENDS)[number];

/** One sign-in as another user for support, from the request to the end. */
@Entity('impersonations')
export class Impersonation {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  /** The organization that manages the user. */
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { name: 'user_id' }) userId!: string;
  @Column('text', { name: 'impersonator_tenant_id' }) impersonatorTenantId!: string;
  @Column('text', { name: 'impersonator_id' }) impersonatorId!: string;
  @Column('text', { name: 'impersonator_email' }) impersonatorEmail!: string;
  @Column('text') reason!: string;
  @Column('integer', { name: 'duration_seconds' }) durationSeconds!: number;
  /** Who had to approve, by the setting at the time of the request. */
  @Column('text') approval!: ImpersonationApproval;
  @Column('text') status!: ImpersonationStatus;
  /** The request must be approved and started before this time. */
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'decided_at', nullable: true }) decidedAt!: Date | null;
  @Column('text', { name: 'decided_by_id', nullable: true }) decidedById!: string | null;
  @Column('text', { name: 'session_id', nullable: true }) sessionId!: string | null;
  @Column('timestamptz', { name: 'started_at', nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { name: 'ends_at', nullable: true }) endsAt!: Date | null;
  @Column('timestamptz', { name: 'ended_at', nullable: true }) endedAt!: Date | null;
  @Column('text', { name: 'ended_reason', nullable: true }) endedReason!: ImpersonationEnd | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
