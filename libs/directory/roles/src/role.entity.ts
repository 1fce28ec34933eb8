import { Column, Entity, PrimaryColumn, Unique, VersionColumn } from 'typeorm';

/** A custom role, which is visible in its organization and in all descendants. Built-in roles have no row. */
@Entity('roles')
@Unique('roles_name_key', ['tenantId', 'organizationId', 'name'])
@Unique('roles_name_key_key', ['tenantId', 'organizationId', 'nameKey'])
export class Role {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  /** The name for comparisons that ignore case. Null in rows of an earlier release. */
  @Column('text', { name: 'name_key', nullable: true }) nameKey!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { array: true }) permissions!: string[];
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
