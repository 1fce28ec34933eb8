import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('operator_sessions')
export class StoredOperatorSession {
  @PrimaryColumn('text') id!: string;
  @Column('bytea', { name: 'token_hash' }) tokenHash!: Buffer;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'last_seen_at' }) lastSeenAt!: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
}
