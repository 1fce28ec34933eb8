import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user in the directory of an organization, with the columns that lists filter and sort by. */
@Entity('directory_entries')
export class DirectoryEntry {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'organization_id' }) organizationId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('text', { name: 'user_tenant_id' }) userTenantId!: string;
  /** Id of the organization that manages the user. */
  @Column('text', { name: 'user_organization_id' }) userOrganizationId!: string;
  /** Whether the organization of this entry manages the user. */
  @Column('boolean') managed!: boolean;
  @Column('boolean') member!: boolean;
  @Column('text') status!: string;
  @Column('text', { name: 'email_key' }) emailKey!: string;
  @Column('text', { name: 'search_text' }) searchText!: string;
  @Column('timestamptz', { name: 'last_login_at', nullable: true }) lastLoginAt!: Date | null;
}
