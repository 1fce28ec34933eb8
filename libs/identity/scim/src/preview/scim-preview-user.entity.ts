import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import type { ScimObject } from '../protocol/resource.js';
import type { UserFields } from '../users/scim-user-fields.js';

export const USER_ACTIONS = ['create', 'adopt', 'update', 'suspend', 'activate', 'delete'] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

/** A user whom a connection in preview would create, take over, change or delete. */
@Entity('scim_preview_users')
export class ScimPreviewUser {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'connection_id' }) connectionId!: string;
  /** Also the id of a new user, when the connection is activated. */
  @PrimaryColumn('text', { name: 'user_id' }) id!: string;
  @Column('text') action!: UserAction;
  /** Whether the connection would take over an existing user, besides the action. */
  @Column('boolean', { default: false }) adopts!: boolean;
  @Column('boolean') deleted!: boolean;
  @Column('boolean') active!: boolean;
  @Column('text') email!: string;
  @Column('text', { name: 'email_key' }) emailKey!: string;
  @Column('text', { name: 'email_keys', array: true }) emailKeys!: string[];
  @Column('text', { name: 'user_name' }) userName!: string;
  @Column('text', { name: 'user_name_key' }) userNameKey!: string;
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;
  @Column('jsonb') fields!: UserFields;
  @Column('jsonb') attributes!: ScimObject;
  /** Why the change could not be applied. */
  @Column('text', { nullable: true }) error!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}
