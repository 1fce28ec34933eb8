import { Column, Entity, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '../whole-number.js';

@Entity('passkeys')
export class Passkey {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'user_id' }) userId!: string;
  /** The id that the authenticator assigned, in base64url. */
  @Column('text', { name: 'credential_id' }) credentialId!: string;
  /** The public key in COSE format. */
  @Column('bytea', { name: 'public_key' }) publicKey!: Buffer;
  /** The number of signatures; 0 for passkeys that are synchronized between devices. */
  @Column('bigint', { transformer: wholeNumber }) counter!: number;
  @Column('text', { array: true }) transports!: string[];
  @Column('boolean', { name: 'backed_up' }) backedUp!: boolean;
  @Column('text') name!: string;
  /** Whether another service created the passkey, whose user handle for the user is unknown here. */
  @Column('boolean', { default: false }) imported!: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
}
