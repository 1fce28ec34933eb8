import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in that waits for the response of the identity provider. Queries find the row without a tenant, because the response contains none. */
@Entity('oidc_sign_ins')
export class OidcSignIn {
  @PrimaryColumn('bytea', { name: 'state_hash' }) stateHash!: Buffer;
  @Column('text', { name: 'tenant_id' }) tenantId!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { name: 'identity_provider_id' }) identityProviderId!: string;
  /** The hash of the binding token, which only the client of the sign-in has. */
  @Column('bytea', { name: 'binding_hash' }) bindingHash!: Buffer;
  @Column('text', { name: 'checks_sealed' }) checksSealed!: string;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
}
