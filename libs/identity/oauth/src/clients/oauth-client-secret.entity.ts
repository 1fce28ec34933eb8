import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret of an OAuth client. Several can be valid at the same time. */
@Entity('oauth_client_secrets')
export class OAuthClientSecret {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'client_id' }) clientId!: string;
  /** SHA-256 of the secret, which has 256 random bits. */
  @Column('bytea') hash!: Buffer;
  @Column('text') last4!: string;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  /** Updated at most once a minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
