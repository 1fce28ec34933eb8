import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user's membership in an organization, with the role of the membership. */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'organization_id' }) organizationId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  /** Differs from `tenantId` for a guest. */
  @Column('text', { name: 'user_tenant_id' }) userTenantId!: string;
  @Column('text', { name: 'role_id' }) roleId!: string;
  /** Whether `organization.member_added` was published: not for the membership that is created together with the user. */
  @Column('boolean') announced!: boolean;
  @Column('timestamptz', { name: 'joined_at' }) joinedAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
