import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One of a user's roles in an organization: the membership's own, or one given beside it (`explicit`), or both. */
@Entity('role_assignments')
export class RoleAssignment {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'organization_id' }) organizationId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @PrimaryColumn('text', { name: 'role_id' }) roleId!: string;
  @Column('boolean') explicit!: boolean;
  @Column('text', { name: 'user_status' }) userStatus!: string;
  @Column('timestamptz', { name: 'assigned_at' }) assignedAt!: Date;
}
