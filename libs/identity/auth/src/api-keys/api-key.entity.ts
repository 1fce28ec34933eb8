import type { OwnerFlag } from '#directory/memberships';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A credential of a program. Only the hash of the key is stored, in `token_hashes`. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  /** Null for platform keys. */
  @Column('text', { name: 'organization_id', nullable: true }) organizationId!: string | null;
  @Column('text') name!: string;
  @Column('text', { array: true }) scopes!: string[];
  /** The first characters of the key, by which people recognize the key. */
  @Column('text') prefix!: string;
  @Column('text') last4!: string;
  @Column('text') source!: 'api' | 'environment' | 'first_start';
  @Column('text', { name: 'created_by_type' }) createdByType!: string;
  @Column('text', { name: 'created_by_id', nullable: true }) createdById!: string | null;
  /** The user who created the key. If an API key created the key, the owner of the API key. Null for a platform key. */
  @Column('text', { name: 'owner_tenant_id', nullable: true }) ownerTenantId!: string | null;
  @Column('text', { name: 'owner_id', nullable: true }) ownerId!: string | null;
  /** The previous key, if a rotation created this key. */
  @Column('text', { name: 'rotated_from_id', nullable: true }) rotatedFromId!: string | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  /** Updated at most once a minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @Column('text', { name: 'last_used_ip', nullable: true }) lastUsedIp!: string | null;
  /** Networks in CIDR notation from which the key works; null for all networks. */
  @Column('text', { name: 'allowed_networks', array: true, nullable: true }) allowedNetworks!: string[] | null;
  /** For each permission: the last day (UTC) on which a request with the key needed the permission. */
  @Column('jsonb', { name: 'permissions_used' }) permissionsUsed!: Readonly<Record<string, string>>;
  @Column('text', { nullable: true }) flag!: OwnerFlag | null;
  @Column('timestamptz', { name: 'flagged_at', nullable: true }) flaggedAt!: Date | null;
  /** Set while the key is flagged and the organization disables flagged keys. */
  @Column('timestamptz', { name: 'disabled_at', nullable: true }) disabledAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
