import { Injectable } from '@nestjs/common';
import { type OrganizationScope, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { EventOrganization } from '#platform/events';
import { LAYERS_AS_JSON, type SettingsLayer } from '#directory/organizations';
import { DataSource } from 'typeorm';
import type { ResourceScopes } from '../clients/oauth-client.entity.js';
import type { OAuthGrant } from './oauth-grant.entity.js';

const LIVE_GRANT_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  clientId: column.text(),
  userTenantId: column.text(),
  userId: column.text(),
  scopes: column.arrayOf(column.text()),
  resourceScopes: column.json<ResourceScopes>(),
  organization: column.json<OrganizationScope>(),
  /** What the organization and its ancestors set, root first. */
  settings: column.json<SettingsLayer[]>(),
  /** Whether the organization and its ancestors are active. */
  isActive: column.boolean(),
  /** Whether the organization or an ancestor approved the client. Only read for clients of the platform. */
  isApproved: column.boolean(),
});

const OF_CLIENT_ROW = row({ grant: column.json<OAuthGrant>(), organization: column.json<EventOrganization>() });

const EMAIL_ROW = row({ id: column.text(), email: column.text() });

/** A grant that is not revoked, with its organization. */
export type LiveGrant = Readonly<RowOf<typeof LIVE_GRANT_ROW>>;

@Injectable()
export class OAuthGrantQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns a grant, or undefined if it is revoked or its organization is deleted. */
  async findLive(ctx: RequestContext, tenantId: string, id: string): Promise<LiveGrant | undefined> {
    const [grant] = await this.query(
      ctx,
      LIVE_GRANT_ROW,
      `SELECT g.id, g.tenant_id AS "tenantId", g.client_id AS "clientId", g.user_tenant_id AS "userTenantId", g.user_id AS "userId",
         g.scopes, g.resource_scopes AS "resourceScopes",
         json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'slug', o.slug, 'status', o.status,
           'ancestorIds', o.ancestor_ids) AS organization, p.settings, p."isActive",
         g.client_tenant_id = $3 AND EXISTS (SELECT FROM application_approvals a WHERE a.tenant_id = $1 AND a.client_id = g.client_id
           AND a.organization_id = ANY (o.ancestor_ids || o.id) AND a.status = 'approved') AS "isApproved"
       FROM oauth_grants g
       JOIN organizations o ON o.tenant_id = $1 AND o.id = g.organization_id AND o.deleted_at IS NULL
       CROSS JOIN LATERAL (
         SELECT ${LAYERS_AS_JSON} AS settings, bool_and(l.status = 'active') AS "isActive"
         FROM organizations l WHERE l.tenant_id = $1 AND l.id = ANY (o.ancestor_ids || o.id)
       ) p
       WHERE g.tenant_id = $1 AND g.id = $2 AND g.revoked_at IS NULL`,
      [tenantId, id, PLATFORM_TENANT],
      { prepared: true, connection: 'shared' },
    );
    return grant;
  }

  /** Returns the live grants of a client in an organization and its descendants, and locks them until the transaction ends. */
  lockOfClientBelow(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
    clientId: string,
  ): Promise<RowOf<typeof OF_CLIENT_ROW>[]> {
    return this.query(
      ctx,
      OF_CLIENT_ROW,
      `SELECT json_build_object('tenantId', g.tenant_id, 'id', g.id, 'organizationId', g.organization_id, 'clientTenantId', g.client_tenant_id,
           'clientId', g.client_id, 'userTenantId', g.user_tenant_id, 'userId', g.user_id, 'scopes', g.scopes,
           'resourceScopes', g.resource_scopes) AS grant,
         json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'ancestorIds', o.ancestor_ids) AS organization
       FROM oauth_grants g JOIN organizations o ON o.tenant_id = $1 AND o.id = g.organization_id
       WHERE g.tenant_id = $1 AND g.client_id = $2 AND g.revoked_at IS NULL AND (o.id = $3 OR $3 = ANY (o.ancestor_ids))
       ORDER BY g.id FOR UPDATE OF g`,
      [tenantId, clientId, id],
    );
  }

  /** Returns the email addresses of users who are members of an organization, by user id. */
  async mapEmails(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query(
      ctx,
      EMAIL_ROW,
      'SELECT user_id AS id, email_key AS email FROM directory_entries WHERE tenant_id = $1 AND organization_id = $2 AND user_id = ANY ($3)',
      [tenantId, id, userIds],
    );
    return new Map(rows.map((each) => [each.id, each.email]));
  }

  /** Deletes the grants of a user who is deleted permanently, in all tenants. */
  async deleteOfUser(ctx: RequestContext, userId: string): Promise<void> {
    await this.execute(ctx, 'DELETE FROM oauth_grants WHERE user_id = $1', [userId]);
  }

  /** Deletes the grants of purged organizations. */
  async deleteOfOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    const sql = 'DELETE FROM oauth_grants WHERE tenant_id = $1 AND organization_id = ANY ($2)';
    await this.execute(ctx, sql, [tenantId, organizationIds]);
  }
}
