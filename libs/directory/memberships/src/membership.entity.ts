import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The membership of a user in an organization, with a role. */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'organization_id' }) organizationId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  /** Id of the tenant of the user. Differs from `tenantId` for a guest. */
  @Column('text', { name: 'user_tenant_id' }) userTenantId!: string;
  @Column('text', { name: 'role_id' }) roleId!: string;
  /** Whether `organization.member_added` was published. False at first for the membership of a new user. */
  @Column('boolean') announced!: boolean;
  @Column('timestamptz', { name: 'joined_at' }) joinedAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
