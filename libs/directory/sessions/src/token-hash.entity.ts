import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the hashes are of. The last two are no secrets: the id of a client, and the identifier of a resource. */
export type TokenKind =
  | 'session'
  | 'one_time_token'
  | 'api_key'
  | 'setup_link'
  | 'scim_token'
  | 'oauth_client'
  | 'oauth_resource';

/** The hash of a token, for lookups across tenants. The token itself is not stored. */
@Entity('token_hashes')
export class TokenHash {
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('text') kind!: TokenKind;
  @Column('text', { name: 'tenant_id' }) tenantId!: string;
  /** Id of the session, API key or other subject. */
  @Column('text', { name: 'subject_id' }) subjectId!: string;
}
