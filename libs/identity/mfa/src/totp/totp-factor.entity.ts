import { Column, Entity, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '../whole-number.js';

/** An authenticator app. A user has at most one app. */
@Entity('totp_factors')
export class TotpFactor {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('text', { name: 'seed_sealed' }) seedSealed!: string;
  /** The time step (30 s) of the last accepted code. Codes of this step and of earlier steps are rejected. */
  @Column('bigint', { name: 'last_step', transformer: wholeNumber }) lastStep!: number;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
}
