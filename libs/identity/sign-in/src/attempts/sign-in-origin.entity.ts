import { Column, Entity, PrimaryColumn } from 'typeorm';

export type OriginKind = 'address' | 'device';

/** The hash of an IP address or a device that a user has signed in from. */
@Entity('sign_in_origins')
export class SignInOrigin {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @PrimaryColumn('text') kind!: OriginKind;
  @PrimaryColumn('bytea') origin!: Buffer;
  @Column('timestamptz', { name: 'last_seen_at' }) lastSeenAt!: Date;
}
