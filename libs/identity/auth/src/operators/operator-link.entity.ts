import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A single-use link that opens the dashboard for an operator. */
@Entity('operator_links')
export class OperatorLink {
  @PrimaryColumn('bytea', { name: 'token_hash' }) tokenHash!: Buffer;
  @Column('text') origin!: 'first_start' | 'request';
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'used_at', nullable: true }) usedAt!: Date | null;
}
