import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A role of a user in an organization: the role of the membership, or an additional role (`explicit`), or both. */
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
