import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `revoked`: the application was approved before. */
export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'revoked'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What the owners of an organization decided about an application from outside: for the organization and its descendants. */
@Entity('application_approvals')
export class ApplicationApproval {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  /** The id of the client, which belongs to the platform. */
  @Column('text', { name: 'client_id' }) clientId!: string;
  @Column('text') status!: ApprovalStatus;
  @Column('timestamptz', { name: 'decided_at', nullable: true }) decidedAt!: Date | null;
  @Column('text', { name: 'decided_by_type', nullable: true }) decidedByType!: string | null;
  @Column('text', { name: 'decided_by_id', nullable: true }) decidedById!: string | null;
  /** What the person who decided tells those who asked. */
  @Column('text', { nullable: true }) note!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
