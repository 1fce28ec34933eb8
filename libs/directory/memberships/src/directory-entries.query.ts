import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { BaseQuery, changedKey } from '#platform/database';
import { DataSource } from 'typeorm';
import { type DirectoryUser, tenantIdsOf, type UserInTenants, userSearchText } from './directory-user.js';

/** Updates the directory entries of many users with one statement. */
@Injectable()
export class DirectoryEntriesQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Copies the email addresses and names of users to the directory entries in all tenants. */
  async updateNames(ctx: RequestContext, users: readonly DirectoryUser[]): Promise<void> {
    const rows = users.flatMap((user) => {
      const columns = { user_id: user.id, email_key: emailKey(user.email), search_text: userSearchText(user) };
      return tenantIdsOf(user).map((tenantId) => ({ ...columns, tenant_id: tenantId }));
    });
    await this.executeRowChanges(
      ctx,
      `UPDATE directory_entries e SET email_key = r.email_key, search_text = r.search_text
       FROM json_to_recordset($1::json) AS r (tenant_id text, user_id text, email_key text, search_text text)
       WHERE e.tenant_id = ANY ($2) AND e.tenant_id = r.tenant_id AND e.user_id = r.user_id
       RETURNING ${changedKey('directory_entries', 'e')}`,
      [JSON.stringify(rows), [...new Set(rows.map(({ tenant_id }) => tenant_id))]],
    );
  }

  /** Removes a user from the groups of all tenants. */
  async deleteGroupMemberships(ctx: RequestContext, user: UserInTenants): Promise<void> {
    const sql = `DELETE FROM group_members g WHERE tenant_id = ANY ($1) AND user_id = $2 RETURNING ${changedKey('group_members', 'g')}`;
    await this.executeRowChanges(ctx, sql, [tenantIdsOf(user), user.id]);
  }

  /** Deletes the break-glass requests of a user in all tenants. A foreign key can't do this, because the user can be on another node. */
  async deleteBreakGlassRequests(ctx: RequestContext, user: UserInTenants): Promise<void> {
    const sql = `DELETE FROM break_glass_requests b WHERE tenant_id = ANY ($1) AND requester_id = $2
      RETURNING ${changedKey('break_glass_requests', 'b')}`;
    await this.executeRowChanges(ctx, sql, [tenantIdsOf(user), user.id]);
  }
}
