import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, isUniqueViolation, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { UserNameConflict } from './scim-connection-errors.js';

const MANAGER_ROW = row({ managedBy: column.text() });

type UserKey = Readonly<Record<'tenantId' | 'id', string>>;

/** Reserves the user names of connections: a connection has one user with a name, and deleted users besides. */
@Injectable()
export class ScimUserNamesQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async release(ctx: RequestContext, { tenantId, id }: UserKey): Promise<void> {
    const sql = 'UPDATE scim_users SET reserves_name = false WHERE tenant_id = $1 AND user_id = $2';
    await this.execute(ctx, sql, [tenantId, id]);
  }

  /** @throws UserNameConflict (409) */
  async reserve(ctx: RequestContext, { tenantId, id }: UserKey): Promise<void> {
    const sql = 'UPDATE scim_users SET reserves_name = true WHERE tenant_id = $1 AND user_id = $2';
    await this.execute(ctx, sql, [tenantId, id]).catch((error: unknown) => {
      throw isUniqueViolation(error, 'scim_users_user_name_key') ? new UserNameConflict() : error;
    });
  }

  /** Returns the id of the connection of an organization that manages a user, or null. */
  async findManager(ctx: RequestContext, { tenantId, id }: UserKey, organizationId: string): Promise<string | null> {
    const sql = `SELECT u.managed_by AS "managedBy" FROM users u
      JOIN scim_connections c ON c.tenant_id = $1 AND c.id = u.managed_by AND c.organization_id = $3
      WHERE u.tenant_id = $1 AND u.id = $2`;
    return (await this.query(ctx, MANAGER_ROW, sql, [tenantId, id, organizationId]))[0]?.managedBy ?? null;
  }
}
