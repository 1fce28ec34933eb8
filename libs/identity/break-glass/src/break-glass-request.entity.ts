import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * `expired`: nobody approved or denied the request in time. `ended`: the approved access is over, or somebody withdrew the request before
 * a decision.
 */
export const BREAK_GLASS_STATUSES = ['pending', 'approved', 'denied', 'expired', 'ended'] as const;
export type BreakGlassStatus = (typeof BREAK_GLASS_STATUSES)[number];

/** A request for temporary owner access to an organization in an emergency. */
@Entity('break_glass_requests')
export class BreakGlassRequest {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { name: 'requester_tenant_id' }) requesterTenantId!: string;
  @Column('text', { name: 'requester_id' }) requesterId!: string;
  @Column('text', { name: 'requester_email' }) requesterEmail!: string;
  @Column('text') reason!: string;
  @Column('integer', { name: 'duration_seconds' }) durationSeconds!: number;
  @Column('text') status!: BreakGlassStatus;
  /** The request must be approved or denied before this time. */
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'decided_at', nullable: true }) decidedAt!: Date | null;
  @Column('text', { name: 'decided_by_type', nullable: true }) decidedByType!: string | null;
  @Column('text', { name: 'decided_by_id', nullable: true }) decidedById!: string | null;
  @Column('text', { name: 'decision_note', nullable: true }) decisionNote!: string | null;
  @Column('timestamptz', { name: 'ends_at', nullable: true }) endsAt!: Date | null;
  @Column('timestamptz', { name: 'ended_at', nullable: true }) endedAt!: Date | null;
  @Column('text', { name: 'ended_reason', nullable: true }) endedReason!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
