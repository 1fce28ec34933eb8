import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The unused recovery codes of a user, hashed. All hashes have the same salt, so that one slow hash is enough to verify a code. */
@Entity('recovery_code_sets')
export class RecoveryCodeSet {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('bytea') salt!: Buffer;
  @Column('bytea', { array: true }) hashes!: Buffer[];
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
