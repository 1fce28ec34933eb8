import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A token with which an identity provider authenticates at a SCIM connection. Only its hash is stored, in `token_hashes`. */
@Entity('scim_tokens')
export class ScimToken {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'connection_id' }) connectionId!: string;
  @Column('text') name!: string;
  @Column('text') last4!: string;
  /** Networks in CIDR notation from which the token works; null for all networks. */
  @Column('text', { name: 'allowed_networks', array: true, nullable: true }) allowedNetworks!: string[] | null;
  @Column('text', { name: 'rotated_from_id', nullable: true }) rotatedFromId!: string | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
