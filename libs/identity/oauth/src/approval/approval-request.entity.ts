import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user who waits for the approval of an application, or waited for the last decision. */
@Entity('application_approval_requests')
export class ApprovalRequest {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'approval_id' }) approvalId!: string;
  @Column('text', { name: 'user_tenant_id' }) userTenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('text') email!: string;
  @Column('text') reason!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
