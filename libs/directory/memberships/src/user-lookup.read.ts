import { Injectable } from '@nestjs/common';
import type { Caller, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { DirectoryUser, UserStatus } from './directory-user.js';

interface UserRow {
  id: string;
  tenant_id: string;
  organization_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  display_name: string | null;
  locale: string | null;
  status: UserStatus;
  last_login_at: Date | null;
}

const COLUMNS =
  'u.id, u.tenant_id, u.organization_id, u.email, u.first_name, u.last_name, u.display_name, u.locale, u.status, u.last_login_at';

/** Finds users for memberships, which lie below the users lib: plain data, read from its table. */
@Injectable()
export class UserLookup extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** The user, held until the transaction ends, so that nothing about it changes meanwhile. Deleted ones too, but not with their organization. */
  async lock(ctx: RequestContext, userId: string): Promise<DirectoryUser | null> {
    const [row] = await this.prepared<UserRow>(
      ctx,
      `SELECT ${COLUMNS} FROM users u JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id
       WHERE u.id = $1 AND o.deleted_at IS NULL FOR NO KEY UPDATE OF u`,
      [userId],
    );
    return row ? fromRow(row) : null;
  }

  /** Whether a user shows in the directory of an organization of its own tree that the caller reaches. */
  async showsTo(
    ctx: RequestContext,
    { organizationIds = [] }: Caller,
    { tenantId, id }: Pick<DirectoryUser, 'tenantId' | 'id'>,
  ): Promise<boolean> {
    const rows = await this.prepared(
      ctx,
      `SELECT FROM directory_entries e JOIN organizations o ON o.tenant_id = e.tenant_id AND o.id = e.organization_id
       WHERE e.user_id = $1 AND e.tenant_id = $2 AND (o.id = ANY($3) OR o.ancestor_ids && $3) AND o.deleted_at IS NULL LIMIT 1`,
      [id, tenantId, organizationIds],
    );
    return rows.length > 0;
  }
}

const fromRow = (row: UserRow): DirectoryUser => ({
  id: row.id,
  tenantId: row.tenant_id,
  organizationId: row.organization_id,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  displayName: row.display_name,
  locale: row.locale,
  status: row.status,
  lastLoginAt: row.last_login_at,
});
