import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

/** A connection with which the directory of a customer provisions the users and groups of an organization. */
@Entity('scim_connections')
export class ScimConnection {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  /** Whether the connection can take over existing users with addresses of verified domains. */
  @Column('boolean', { name: 'adopt_existing_users' }) adoptExistingUsers!: boolean;
  /** Whether the API and the dashboard can change users and groups of the connection. */
  @Column('boolean', { name: 'allow_local_changes' }) allowLocalChanges!: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
