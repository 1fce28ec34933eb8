import { Column, Entity, PrimaryColumn, Unique, VersionColumn } from 'typeorm';

/** A group of members of an organization. */
@Entity('groups')
@Unique('groups_name_key', ['tenantId', 'organizationId', 'name'])
@Unique('groups_name_key_key', ['tenantId', 'organizationId', 'nameKey'])
export class Group {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  /** The name for comparisons that ignore case. Null in rows of an earlier release. */
  @Column('text', { name: 'name_key', nullable: true }) nameKey!: string | null;
  /** What a search matches. Null in rows of an earlier release. */
  @Column('text', { name: 'search_text', nullable: true }) searchText!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;
  /** Id of the connection that provisions the group. Null if the group is managed with the API. */
  @Column('text', { name: 'managed_by', nullable: true }) managedBy!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
