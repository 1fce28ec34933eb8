import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link of a user to an account at an identity provider. */
@Entity('user_identities')
export class UserIdentity {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'identity_provider_id' }) identityProviderId!: string;
  @PrimaryColumn('text') issuer!: string;
  /** The subject of the account at the issuer. */
  @PrimaryColumn('text', { name: 'external_id' }) externalId!: string;
  @Column('text', { name: 'user_id' }) userId!: string;
  /** The name of the identity provider at the time of the link. */
  @Column('text') provider!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
