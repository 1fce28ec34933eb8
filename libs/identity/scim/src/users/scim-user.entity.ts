import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import type { ScimObject } from '../protocol/resource.js';

/** What a connection knows of a user besides the fields of the user. */
@Entity('scim_users')
export class ScimUser {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('text', { name: 'connection_id' }) connectionId!: string;
  @Column('text', { name: 'user_name' }) userName!: string;
  /** The user name for comparisons, in lower case. */
  @Column('text', { name: 'user_name_key' }) userNameKey!: string;
  /** Whether no other user of the connection can have the user name. Deleted users don't reserve theirs. */
  @Column('boolean', { name: 'reserves_name', default: true }) reservesName!: boolean;
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;
  /** All email addresses for comparisons, in lower case. */
  @Column('text', { name: 'email_keys', array: true }) emailKeys!: string[];
  /** The attributes as the connection sent them. */
  @Column('jsonb') attributes!: ScimObject;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
