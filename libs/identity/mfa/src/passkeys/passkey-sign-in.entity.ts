import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A pending sign-in with only a passkey. The user is unknown until the response arrives. */
@Entity('passkey_sign_ins')
export class PasskeySignIn {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('bytea', { name: 'challenge_hash' }) challengeHash!: Buffer;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
}
