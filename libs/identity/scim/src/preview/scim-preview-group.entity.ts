import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

export const GROUP_ACTIONS = ['create', 'update', 'delete'] as const;
export type GroupAction = (typeof GROUP_ACTIONS)[number];

/** A group that a connection in preview would create, change or delete. */
@Entity('scim_preview_groups')
export class ScimPreviewGroup {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'connection_id' }) connectionId!: string;
  /** Also the id of a new group, when the connection is activated. */
  @PrimaryColumn('text', { name: 'group_id' }) id!: string;
  @Column('text') action!: GroupAction;
  @Column('boolean') deleted!: boolean;
  @Column('text', { name: 'display_name' }) displayName!: string;
  /** The name for comparisons. Null in rows of an earlier release. */
  @Column('text', { name: 'name_key', nullable: true }) nameKey!: string | null;
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;
  @Column('text', { name: 'member_ids', array: true }) memberIds!: string[];
  @Column('integer', { name: 'members_added' }) membersAdded!: number;
  @Column('integer', { name: 'members_removed' }) membersRemoved!: number;
  /** Why the change could not be applied. */
  @Column('text', { nullable: true }) error!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
