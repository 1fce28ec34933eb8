import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { EventOrganization } from '#platform/events';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

/** The sign-in of a user at a client that receives logout tokens. */
export interface NewOAuthSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly grantId: string;
  readonly organizationId: string;
  readonly clientId: string;
  readonly audience: string;
  readonly user: UserKey;
  /** The organizations and the identity provider without which the session can't be used. */
  readonly restsOn: readonly string[];
  readonly createdAt: Date;
  /** When the session can have expired. */
  readonly checkAt: Date;
}

const ENDED_ROW = row({
  sessionId: column.text(),
  userId: column.text(),
  clientId: column.text(),
  audience: column.text(),
  organization: column.json<EventOrganization>(),
});
export type EndedOAuthSession = Readonly<RowOf<typeof ENDED_ROW>>;

const DUE_ROW = row({
  tenantId: column.text(),
  sessionId: column.text(),
  grantId: column.text(),
  userTenantId: column.text(),
  userId: column.text(),
  reason: column.nullable(column.text()),
});
/** A session that must be checked, with the reason why it can have ended. */
export type DueOAuthSession = Readonly<RowOf<typeof DUE_ROW>>;

const TENANTS_ROW = row({ tenantIds: column.arrayOf(column.text()) });
const ID_ROW = row({ id: column.text() });

/** Records at which clients users are signed in, until their sessions end there. */
@Injectable()
export class OAuthSessionQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async record(ctx: RequestContext, session: NewOAuthSession): Promise<void> {
    const { tenantId, sessionId, grantId, organizationId, clientId, audience, user, restsOn, createdAt, checkAt } = session;
    await this.execute(
      ctx,
      `INSERT INTO oauth_sessions (tenant_id, session_id, grant_id, organization_id, client_id, audience, user_tenant_id, user_id, rests_on,
         created_at, check_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (tenant_id, session_id, grant_id) DO NOTHING`,
      [tenantId, sessionId, grantId, organizationId, clientId, audience, user.tenantId, user.id, restsOn, createdAt, checkAt],
      { prepared: true },
    );
  }

  /** Deletes and returns the sign-ins of sessions in one tenant. */
  endOfSessions(ctx: RequestContext, tenantId: string, sessionIds: readonly string[]): Promise<EndedOAuthSession[]> {
    return this.end(ctx, 'session_id = ANY ($2::text[])', [tenantId, sessionIds]);
  }

  /** Deletes and returns the sign-ins of a grant. */
  endOfGrant(ctx: RequestContext, tenantId: string, grantId: string): Promise<EndedOAuthSession[]> {
    return this.end(ctx, 'grant_id = $2', [tenantId, grantId]);
  }

  /** Deletes and returns one sign-in. Returns nothing if another process has ended it. */
  endOne(ctx: RequestContext, { tenantId, sessionId, grantId }: DueOAuthSession): Promise<EndedOAuthSession[]> {
    return this.end(ctx, 'session_id = $2 AND grant_id = $3', [tenantId, sessionId, grantId]);
  }

  /** Returns the other tenants in which a user is a guest. */
  async guestTenantsOf(ctx: RequestContext, { tenantId, id }: UserKey): Promise<string[]> {
    const sql = 'SELECT guest_tenant_ids AS "tenantIds" FROM users WHERE tenant_id = $1 AND id = $2';
    const [found] = await this.query(ctx, TENANTS_ROW, sql, [tenantId, id], { prepared: true });
    return found?.tenantIds ?? [];
  }

  /** Returns the other tenants in which users of a tenant are guests. */
  async guestTenantsBelow(ctx: RequestContext, tenantId: string): Promise<string[]> {
    const sql = `SELECT DISTINCT unnest(guest_tenant_ids) AS id FROM users WHERE tenant_id = $1 AND guest_tenant_ids <> '{}'`;
    return (await this.query(ctx, ID_ROW, sql, [tenantId])).map(({ id }) => id);
  }

  /** Makes the sessions of a user in one tenant due for a check. */
  async checkUser(ctx: RequestContext, tenantId: string, userId: string, check: Check): Promise<void> {
    await this.check(ctx, 'user_id = $4', [tenantId, check.at, check.reason, userId]);
  }

  /** Makes the sessions in one tenant due that rest on an identity provider of `providerTenantId`. */
  async checkProvider(ctx: RequestContext, tenantId: string, providerId: string, check: Check): Promise<void> {
    await this.check(ctx, '$4 = ANY (rests_on)', [tenantId, check.at, check.reason, providerId]);
  }

  /** Makes the sessions in one tenant due that rest on an organization or one of its descendants. */
  async checkOrganization(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    check: Check,
  ): Promise<void> {
    await this.check(ctx, 'rests_on && $4::text[]', [tenantId, check.at, check.reason, organizationIds]);
  }

  /** Returns the ids of an organization and its descendants, also of those that are deleted. */
  async idsBelow(ctx: RequestContext, tenantId: string, organizationId: string): Promise<string[]> {
    const sql = 'SELECT id FROM organizations WHERE tenant_id = $1 AND (id = $2 OR $2 = ANY (ancestor_ids))';
    return (await this.query(ctx, ID_ROW, sql, [tenantId, organizationId])).map(({ id }) => id);
  }

  /** Returns sessions of all tenants that must be checked, longest due first. Locks nothing. */
  findDue(ctx: RequestContext, now: Date, limit: number): Promise<DueOAuthSession[]> {
    return this.query(
      ctx,
      DUE_ROW,
      `SELECT tenant_id AS "tenantId", session_id AS "sessionId", grant_id AS "grantId", user_tenant_id AS "userTenantId",
         user_id AS "userId", check_reason AS reason
       FROM oauth_sessions WHERE check_at <= $1 ORDER BY check_at LIMIT $2`,
      [now, limit],
    );
  }

  async postpone(
    ctx: RequestContext,
    { tenantId, sessionId, grantId }: DueOAuthSession,
    now: Date,
    checkAt: Date,
  ): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE oauth_sessions SET check_at = $5, check_reason = NULL
       WHERE tenant_id = $1 AND session_id = $2 AND grant_id = $3 AND check_at <= $4`,
      [tenantId, sessionId, grantId, now, checkAt],
    );
  }

  private async check(ctx: RequestContext, where: string, values: readonly unknown[]): Promise<void> {
    await this.execute(ctx, `UPDATE oauth_sessions SET check_at = $2, check_reason = $3 WHERE tenant_id = $1 AND ${where}`, [
      ...values,
    ]);
  }

  private end(ctx: RequestContext, where: string, values: readonly unknown[]): Promise<EndedOAuthSession[]> {
    return this.query(
      ctx,
      ENDED_ROW,
      `WITH ended AS (
         DELETE FROM oauth_sessions WHERE tenant_id = $1 AND ${where} RETURNING session_id, user_id, client_id, audience, organization_id
       )
       SELECT e.session_id AS "sessionId", e.user_id AS "userId", e.client_id AS "clientId", e.audience,
         json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'ancestorIds', o.ancestor_ids) AS organization
       FROM ended e JOIN organizations o ON o.tenant_id = $1 AND o.id = e.organization_id`,
      [...values],
      { prepared: true },
    );
  }
}

/** When and why sessions are checked. */
export interface Check {
  readonly at: Date;
  readonly reason: string;
}
