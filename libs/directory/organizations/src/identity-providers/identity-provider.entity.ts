import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

/** What OpenID Connect needs to know of a provider, without its secret. */
export interface OidcConfiguration {
  issuer: string;
  clientId: string;
  scopes: string[];
}

/** Where an organization's users can sign in instead of here. */
@Entity('identity_providers')
export class IdentityProvider {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  @Column('text') type!: 'oidc';
  @Column('boolean') enabled!: boolean;
  @Column('jsonb') configuration!: OidcConfiguration;
  @Column('text', { name: 'client_secret_sealed', nullable: true }) clientSecretSealed!: string | null;
  /** E-mail domains for which the provider's word is taken: its verified addresses lead to accounts, and may make them. */
  @Column('text', { name: 'trusted_domains', array: true }) trustedDomains!: string[];
  /** The provider's word that it asked for a second factor is taken. */
  @Column('boolean', { name: 'mfa_trusted' }) mfaTrusted!: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
