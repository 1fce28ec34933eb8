import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { EventOrganization } from '#platform/events';
import type { OwnerFlag } from '#directory/memberships';
import { DataSource } from 'typeorm';
import type { ResourceScopes } from './oauth-client.entity.js';

const OWNED_CLIENT_ROW = row({
  tenantId: column.text(),
  id: column.text(),
  name: column.text(),
  resourceScopes: column.json<ResourceScopes>(),
  flag: column.nullable(column.text<OwnerFlag>()),
  isDisabled: column.boolean(),
  ownerTenantId: column.text(),
  ownerId: column.text(),
  organization: column.json<EventOrganization>(),
});

export type OwnedClient = Readonly<RowOf<typeof OWNED_CLIENT_ROW>>;

/** Reads clients with their owners, and flags them. */
@Injectable()
export class ClientOwnerQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns clients that have an owner, sorted by tenant and id, after the client `after`. */
  listOwned(
    ctx: RequestContext,
    now: Date,
    after: Pick<OwnedClient, 'tenantId' | 'id'> | undefined,
    limit: number,
  ): Promise<OwnedClient[]> {
    return this.query(
      ctx,
      OWNED_CLIENT_ROW,
      `SELECT c.tenant_id AS "tenantId", c.id, c.name, c.resource_scopes AS "resourceScopes", c.flag,
         c.disabled_at IS NOT NULL AS "isDisabled", c.owner_tenant_id AS "ownerTenantId", c.owner_id AS "ownerId",
         json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'ancestorIds', o.ancestor_ids) AS organization
       FROM oauth_clients c
       JOIN organizations o ON o.tenant_id = c.tenant_id AND o.id = c.organization_id AND o.deleted_at IS NULL
       WHERE c.owner_id IS NOT NULL AND (c.expires_at IS NULL OR c.expires_at > $1) AND (c.tenant_id, c.id) > ($2, $3)
       ORDER BY c.tenant_id, c.id LIMIT $4`,
      [now, after?.tenantId ?? '', after?.id ?? '', limit],
    );
  }

  /** Sets the flag of a client; null removes the flag. Returns false if nothing changed, for example because another process was first. */
  async setFlag(
    ctx: RequestContext,
    client: OwnedClient,
    flag: OwnerFlag | null,
    isDisabled: boolean,
    at: Date,
  ): Promise<boolean> {
    const changed = await this.execute(
      ctx,
      `UPDATE oauth_clients SET flag = $3, flagged_at = CASE WHEN $3::text IS NULL THEN NULL ELSE coalesce(flagged_at, $5::timestamptz) END,
         disabled_at = CASE WHEN $4::boolean THEN coalesce(disabled_at, $5::timestamptz) END
       WHERE tenant_id = $1 AND id = $2 AND (flag IS DISTINCT FROM $3::text OR (disabled_at IS NOT NULL) <> $4::boolean)`,
      [client.tenantId, client.id, flag, isDisabled, at],
    );
    return changed === 1;
  }
}
