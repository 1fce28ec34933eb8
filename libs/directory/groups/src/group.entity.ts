import { Column, Entity, PrimaryColumn, Unique, VersionColumn } from 'typeorm';

/** A group of an organization. */
@Entity('groups')
@Unique('groups_name_key', ['tenantId', 'organizationId', 'name'])
export class Group {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
