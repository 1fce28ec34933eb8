import { Column, Entity, PrimaryColumn } from 'typeorm';

/** That a user belongs to an organization, and with which role of its own. */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'organization_id' }) organizationId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  /** Differs from `tenantId` for a guest. */
  @Column('text', { name: 'user_tenant_id' }) userTenantId!: string;
  @Column('text', { name: 'role_id' }) roleId!: string;
  /** Whether organization.member_added was published: not for the membership that came with the user's creation. */
  @Column('boolean') announced!: boolean;
  @Column('timestamptz', { name: 'joined_at' }) joinedAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
