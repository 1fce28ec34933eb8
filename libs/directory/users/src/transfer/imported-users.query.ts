import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, changedKey, column, row } from '#platform/database';
import type { SignInAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';
import type { User } from '../user.entity.js';
import { columnOfField, USER_FIELD_NAMES } from '../user-fields.js';

const ID_ROW = row({ id: column.text() });

const COLUMNS = [
  'email',
  'email_key',
  'email_verified',
  'email_confirmed',
  ...USER_FIELD_NAMES.map(columnOfField),
  'phone_verified',
  'metadata',
];
const INSERTED_COLUMNS = [
  ...COLUMNS,
  'mfa_enabled',
  'mfa_methods',
  'status',
  'suspended_at',
  'suspended_reason',
  'last_password_change_at',
];
const UPDATED_COLUMNS = COLUMNS;

const ROW_TYPE = `id text, email text, email_key text, email_verified boolean, email_confirmed boolean, ${USER_FIELD_NAMES.map((name) => `${columnOfField(name)} text`).join(', ')},
  phone_verified boolean, mfa_enabled boolean, mfa_methods text[], metadata jsonb, status text, suspended_at timestamptz, suspended_reason text, last_password_change_at timestamptz`;

/** Writes many users with one statement. */
@Injectable()
export class ImportedUsersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Inserts users of an organization, except users whose email address or external id is taken. Returns the ids of the inserted users. */
  async insertAll(
    ctx: RequestContext,
    { tenantId, id }: OrganizationScope,
    users: readonly User[],
    at: Date,
    _signIn: SignInAuthorization,
  ): Promise<Set<string>> {
    if (users.length === 0) return new Set();
    const rows = await this.query(
      ctx,
      ID_ROW,
      `INSERT INTO users (tenant_id, id, organization_id, ${INSERTED_COLUMNS.join(', ')}, created_at, updated_at)
       SELECT $2, r.id, $3, ${INSERTED_COLUMNS.map((column) => `r.${column}`).join(', ')}, $4::timestamptz, $4::timestamptz
       FROM json_to_recordset($1::json) AS r (${ROW_TYPE}) ON CONFLICT DO NOTHING RETURNING id`,
      [JSON.stringify(users.map(rowOf)), tenantId, id, at],
    );
    const keys = rows.map((user) => ({ tenant_id: tenantId, id: user.id }));
    this.trackChanges(ctx, 'users', keys, { isNew: true });
    return new Set(rows.map((user) => user.id));
  }

  async updateAll(
    ctx: RequestContext,
    tenantId: string,
    users: readonly User[],
    at: Date,
    _signIn: SignInAuthorization,
  ): Promise<void> {
    if (users.length === 0) return;
    await this.executeRowChanges(
      ctx,
      `UPDATE users u SET ${UPDATED_COLUMNS.map((column) => `${column} = r.${column}`).join(', ')}, updated_at = $3::timestamptz,
         version = u.version + 1
       FROM json_to_recordset($1::json) AS r (${ROW_TYPE}) WHERE u.tenant_id = $2 AND u.id = r.id
       RETURNING ${changedKey('users', 'u')}`,
      [JSON.stringify(users.map(rowOf)), tenantId, at],
    );
  }
}

const rowOf = (user: User) => ({
  id: user.id,
  email: user.email,
  email_key: user.emailKey,
  email_verified: user.emailVerified,
  email_confirmed: user.emailConfirmed,
  ...Object.fromEntries(USER_FIELD_NAMES.map((name) => [columnOfField(name), user[name]])),
  phone_verified: user.phoneVerified,
  mfa_enabled: user.mfaEnabled,
  mfa_methods: user.mfaMethods,
  status: user.status,
  suspended_at: user.suspendedAt,
  suspended_reason: user.suspendedReason,
  metadata: user.metadata,
  last_password_change_at: user.lastPasswordChangeAt,
});
