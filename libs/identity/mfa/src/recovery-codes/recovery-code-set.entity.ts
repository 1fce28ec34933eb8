import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The hashes of a user's unused recovery codes. All hashes have one salt, so that the verification of a code needs only one slow hash. */
@Entity('recovery_code_sets')
export class RecoveryCodeSet {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('bytea') salt!: Buffer;
  @Column('bytea', { array: true }) hashes!: Buffer[];
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
