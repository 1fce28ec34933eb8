import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import type { ProviderType } from './provider-types.js';

/** The OpenID Connect or OAuth 2.0 configuration of an identity provider, except the client secret. */
export interface ProviderConfiguration {
  /** For GitHub, the address of the server. */
  issuer: string;
  clientId: string;
  scopes: string[];
  /** The OAuth clients to which the provider can give access as its users. Absent in rows from before. */
  allowedClients?: string[];
}

/** An external service that signs in users of an organization and its descendants. */
@Entity('identity_providers')
export class IdentityProvider {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  @Column('text') type!: ProviderType;
  @Column('boolean') enabled!: boolean;
  @Column('jsonb') configuration!: ProviderConfiguration;
  @Column('text', { name: 'client_secret_sealed', nullable: true }) clientSecretSealed!: string | null;
  /**
   * Email domains for which the provider is trusted. A verified email address in a trusted domain can sign in an existing user or create a
   * user.
   */
  @Column('text', { name: 'trusted_domains', array: true }) trustedDomains!: string[];
  /** Trusted domains from before domains could be verified. They are trusted although they are not verified. */
  @Column('text', { name: 'exempt_domains', array: true }) exemptDomains!: string[];
  /** Whether MFA at the provider counts as a second factor. */
  @Column('boolean', { name: 'mfa_trusted' }) mfaTrusted!: boolean;
  /** The setup link that created the row, or null. A setup link sees only rows that it created. */
  @Column('text', { name: 'setup_link_id', nullable: true }) setupLinkId!: string | null;
  /** The time of the first sign-in since the connection (issuer, client, secret, scopes) last changed. */
  @Column('timestamptz', { name: 'tested_at', nullable: true }) testedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
