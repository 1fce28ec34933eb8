import { Injectable, type OnModuleInit } from '@nestjs/common';
import { bindingSessionOf, type Caller, type RequestContext } from '#platform/common';
import { BaseQuery, changedKey, column, row } from '#platform/database';
import { ReplayAuthorizationService } from '#platform/http';
import { SessionRequirementsQuery } from '#directory/organizations';
import { DataSource } from 'typeorm';
import type { DirectoryUser, UserStatus } from './directory-user.js';

const USER_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  organizationId: column.text(),
  email: column.text(),
  firstName: column.nullable(column.text()),
  lastName: column.nullable(column.text()),
  displayName: column.nullable(column.text()),
  locale: column.nullable(column.text()),
  status: column.text<UserStatus>(),
  lastLoginAt: column.nullable(column.timestamp()),
  guestTenantIds: column.arrayOf(column.text()),
});

const ID_ROW = row({ id: column.text() });
const TENANT_ROW = row({ tenantId: column.text() });

const COLUMNS = `u.id, u.tenant_id AS "tenantId", u.organization_id AS "organizationId", u.email, u.first_name AS "firstName",
  u.last_name AS "lastName", u.display_name AS "displayName", u.locale, u.status, u.last_login_at AS "lastLoginAt",
  u.guest_tenant_ids AS "guestTenantIds"`;

/** Finds users without the users library, which imports this library. */
@Injectable()
export class UserLookupQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sessionRequirements: SessionRequirementsQuery,
    private readonly replays: ReplayAuthorizationService,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.replays.registerUsers((ctx, userIds) => this.findExisting(ctx, userIds));
  }

  /** Returns which of these users, of any tenants, exist. Deleted users exist until they are deleted permanently. */
  private async findExisting(ctx: RequestContext, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const users = await this.query(ctx, ID_ROW, 'SELECT id FROM users WHERE id = ANY ($1)', [userIds]);
    return new Set(users.map(({ id }) => id));
  }

  /** Returns whether the user is visible in organizations that accept the session of the caller, if the caller has a session. */
  async isVisibleInSession(ctx: RequestContext, user: Pick<DirectoryUser, 'tenantId' | 'id'>): Promise<boolean> {
    const session = bindingSessionOf(ctx);
    if (!session) return true;
    const inaccessibleOrganizationIds = await this.sessionRequirements.listUnmet(ctx, ctx.caller, session);
    if (inaccessibleOrganizationIds.length === 0) return true;
    return this.isVisibleTo(ctx, { ...ctx.caller, inaccessibleOrganizationIds }, user);
  }

  /**
   * Locks and returns a user of a tenant, including a deleted user, until the transaction ends. Returns null if the managing organization is
   * deleted.
   */
  async lock(ctx: RequestContext, { tenantId, id }: Pick<DirectoryUser, 'tenantId' | 'id'>): Promise<DirectoryUser | null> {
    const [user] = await this.query(
      ctx,
      USER_ROW,
      `SELECT ${COLUMNS} FROM users u JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id
       WHERE u.tenant_id = $1 AND u.id = $2 AND o.deleted_at IS NULL FOR NO KEY UPDATE OF u`,
      [tenantId, id],
      { prepared: true },
    );
    return user ?? null;
  }

  /** Returns the tenant of a user. Searches all tenants, so only platform keys may use the result. */
  async findTenantId(ctx: RequestContext, userId: string): Promise<string | undefined> {
    const [user] = await this.query(ctx, TENANT_ROW, 'SELECT tenant_id AS "tenantId" FROM users WHERE id = $1', [userId]);
    return user?.tenantId;
  }

  /** Adds a tenant to the tenants in which a user is a guest. The caller must have locked the user. */
  async addGuestTenant(ctx: RequestContext, user: DirectoryUser, tenantId: string): Promise<void> {
    if (user.tenantId === tenantId || user.guestTenantIds.includes(tenantId)) return;
    await this.executeRowChanges(
      ctx,
      `UPDATE users u SET guest_tenant_ids = array_append(guest_tenant_ids, $3) WHERE tenant_id = $1 AND id = $2
       RETURNING ${changedKey('users', 'u')}`,
      [user.tenantId, user.id, tenantId],
    );
  }

  /** Returns whether the caller can access an organization in the user's tenant whose directory contains the user. */
  async isVisibleTo(
    ctx: RequestContext,
    { organizationIds = [], inaccessibleOrganizationIds = [] }: Caller,
    { tenantId, id }: Pick<DirectoryUser, 'tenantId' | 'id'>,
  ): Promise<boolean> {
    const rows = await this.query(
      ctx,
      row({}),
      `SELECT FROM directory_entries e JOIN organizations o ON o.tenant_id = e.tenant_id AND o.id = e.organization_id
       WHERE e.user_id = $1 AND e.tenant_id = $2 AND (o.id = ANY($3) OR o.ancestor_ids && $3)
         AND NOT (o.id = ANY($4) OR o.ancestor_ids && $4) AND o.deleted_at IS NULL LIMIT 1`,
      [id, tenantId, organizationIds, inaccessibleOrganizationIds],
      { prepared: true },
    );
    return rows.length > 0;
  }
}
