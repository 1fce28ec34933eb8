import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

/** The OpenID Connect configuration of an identity provider, without its client secret. */
export interface OidcConfiguration {
  issuer: string;
  clientId: string;
  scopes: string[];
}

/** An external service with which users of an organization and its descendants sign in. */
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
  /**
   * Email domains that the provider is trusted for: verified email addresses in these domains sign in existing users and create new users.
   */
  @Column('text', { name: 'trusted_domains', array: true }) trustedDomains!: string[];
  /** Whether MFA at the provider counts as a second factor. */
  @Column('boolean', { name: 'mfa_trusted' }) mfaTrusted!: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
