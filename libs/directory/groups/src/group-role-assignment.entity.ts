import type { Actor } from '#platform/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A role of a group. Each member of the group has the role in the organization of the group and its descendants. */
@Entity('group_role_assignments')
export class GroupRoleAssignment {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'group_id' }) groupId!: string;
  @PrimaryColumn('text', { name: 'role_id' }) roleId!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('timestamptz', { name: 'assigned_at' }) assignedAt!: Date;
  /** The actor who assigned the role. */
  @Column('text', { name: 'assigned_by_type' }) assignedByType!: Actor['type'];
  @Column('text', { name: 'assigned_by_id', nullable: true }) assignedById!: string | null;
}
