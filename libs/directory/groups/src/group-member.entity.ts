import type { Actor } from '#platform/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A member of a group. */
@Entity('group_members')
export class GroupMember {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'group_id' }) groupId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('timestamptz', { name: 'added_at' }) addedAt!: Date;
  /** The actor who added the user. */
  @Column('text', { name: 'added_by_type' }) addedByType!: Actor['type'];
  @Column('text', { name: 'added_by_id', nullable: true }) addedById!: string | null;
}
