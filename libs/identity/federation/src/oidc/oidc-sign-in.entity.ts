import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in that waits for the response of the identity provider. The row is found without a tenant, because the response contains no tenant. */
@Entity('oidc_sign_ins')
export class OidcSignIn {
  @PrimaryColumn('bytea', { name: 'state_hash' }) stateHash!: Buffer;
  @Column('text', { name: 'tenant_id' }) tenantId!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { name: 'identity_provider_id' }) identityProviderId!: string;
  /** The hash of the token that only the client that started the sign-in has. */
  @Column('bytea', { name: 'binding_hash' }) bindingHash!: Buffer;
  @Column('text', { name: 'checks_sealed' }) checksSealed!: string;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
}
