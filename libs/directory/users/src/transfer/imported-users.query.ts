import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { User } from '../user.entity.js';

const ID_ROW = row({ id: column.text() });

/** Writes many users with one statement. */
@Injectable()
export class ImportedUsersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Inserts new users of an organization. Returns the ids of the inserted users: not of users whose email address or external id is taken. */
  async insertAll(
    ctx: RequestContext,
    { tenantId, id }: OrganizationScope,
    users: readonly User[],
    at: Date,
  ): Promise<Set<string>> {
    if (users.length === 0) return new Set();
    const rows = await this.query(
      ctx,
      ID_ROW,
      `INSERT INTO users (tenant_id, id, organization_id, email, email_key, email_verified, first_name, last_name, display_name,
         picture, locale, phone_number, external_id, status, metadata, last_password_change_at, created_at, updated_at)
       SELECT $2, r.id, $3, r.email, r.email_key, r.email_verified, r.first_name, r.last_name, r.display_name,
         r.picture, r.locale, r.phone_number, r.external_id, r.status, r.metadata, r.last_password_change_at, $4::timestamptz, $4::timestamptz
       FROM json_to_recordset($1::json) AS r (${FIELD_TYPES}, status text, last_password_change_at timestamptz)
       ON CONFLICT DO NOTHING RETURNING id`,
      [JSON.stringify(users.map(rowOf)), tenantId, id, at],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Updates the profiles of existing users. */
  async updateAll(ctx: RequestContext, tenantId: string, users: readonly User[], at: Date): Promise<void> {
    if (users.length === 0) return;
    await this.execute(
      ctx,
      `UPDATE users u SET email = r.email, email_key = r.email_key, email_verified = r.email_verified, first_name = r.first_name,
         last_name = r.last_name, display_name = r.display_name, picture = r.picture, locale = r.locale, phone_number = r.phone_number,
         phone_verified = r.phone_verified, external_id = r.external_id, metadata = r.metadata, updated_at = $3::timestamptz,
         version = u.version + 1
       FROM json_to_recordset($1::json) AS r (${FIELD_TYPES}, phone_verified boolean)
       WHERE u.tenant_id = $2 AND u.id = r.id`,
      [JSON.stringify(users.map(rowOf)), tenantId, at],
    );
  }
}

const FIELD_TYPES = `id text, email text, email_key text, email_verified boolean, first_name text, last_name text, display_name text,
  picture text, locale text, phone_number text, external_id text, metadata jsonb`;

const rowOf = (user: User) => ({
  id: user.id,
  email: user.email,
  email_key: user.emailKey,
  email_verified: user.emailVerified,
  first_name: user.firstName,
  last_name: user.lastName,
  display_name: user.displayName,
  picture: user.picture,
  locale: user.locale,
  phone_number: user.phoneNumber,
  phone_verified: user.phoneVerified,
  external_id: user.externalId,
  status: user.status,
  metadata: user.metadata,
  last_password_change_at: user.lastPasswordChangeAt,
});
