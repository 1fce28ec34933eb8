import { Column, Entity, PrimaryColumn } from 'typeorm';

export type TokenKind = 'session' | 'one_time_token';

/** The hash of a token, by which its session or one-time token is found in any tenant. The tokens themselves are not stored. */
@Entity('token_hashes')
export class TokenHash {
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('text') kind!: TokenKind;
  @Column('text', { name: 'tenant_id' }) tenantId!: string;
  /** Id of the session or one-time token. */
  @Column('text', { name: 'subject_id' }) subjectId!: string;
}
