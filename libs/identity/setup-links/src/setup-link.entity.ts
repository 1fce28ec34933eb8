import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SetupStep } from '#platform/common';

/** A link with which a person without an account sets up an organization. Only the hash of its token is stored, in `token_hashes`. */
@Entity('setup_links')
export class SetupLink {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { array: true }) steps!: SetupStep[];
  /** The user who created the link, or whose API key created it. */
  @Column('text', { name: 'owner_tenant_id', nullable: true }) ownerTenantId!: string | null;
  @Column('text', { name: 'owner_id', nullable: true }) ownerId!: string | null;
  /** The API key, platform key or machine client that created the link; null for links of users and operators. */
  @Column('text', { name: 'created_by_key_id', nullable: true }) createdByKeyId!: string | null;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'opened_at', nullable: true }) openedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
