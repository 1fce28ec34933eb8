import { Column, Entity, PrimaryColumn } from 'typeorm';

export type TokenKind = 'session' | 'one_time_token';

/** The hash of a session token or one-time token, for lookups across tenants. The token itself is not stored. */
@Entity('token_hashes')
export class TokenHash {
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('text') kind!: TokenKind;
  @Column('text', { name: 'tenant_id' }) tenantId!: string;
  /** Id of the session or one-time token. */
  @Column('text', { name: 'subject_id' }) subjectId!: string;
}
