import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { TokenHashQuery } from '#directory/sessions';
import { DataSource } from 'typeorm';
import type { ScimMode } from './scim-connection.entity.js';
import type { ScimToken } from './scim-token.entity.js';

const KNOWN_TOKEN_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  connectionId: column.text(),
  connectionName: column.text(),
  adoptExistingUsers: column.boolean(),
  mode: column.text<ScimMode>(),
  allowedNetworks: column.nullable(column.arrayOf(column.text())),
  expiresAt: column.nullable(column.timestamp()),
  revokedAt: column.nullable(column.timestamp()),
  organization: column.json<OrganizationScope>(),
  /** Whether the organization or one of its ancestors is suspended. */
  suspended: column.boolean(),
});

const LOOKUP = { prepared: true, connection: 'shared' } as const;

export type KnownScimToken = Readonly<RowOf<typeof KNOWN_TOKEN_ROW>>;

/** Finds tokens by hash, and deletes connections with all that belongs to them. */
@Injectable()
export class ScimTokenQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly tokenHashes: TokenHashQuery,
  ) {
    super(dataSource);
  }

  /** Returns the token with this hash, or undefined if there is none or its organization is deleted. */
  async findByHash(ctx: RequestContext, hash: Buffer): Promise<KnownScimToken | undefined> {
    const subject = await this.tokenHashes.find(ctx, 'scim_token', hash);
    if (!subject) return undefined;
    const [token] = await this.query(
      ctx,
      KNOWN_TOKEN_ROW,
      `SELECT t.id, t.tenant_id AS "tenantId", t.connection_id AS "connectionId", c.name AS "connectionName",
         c.adopt_existing_users AS "adoptExistingUsers", c.mode, t.allowed_networks AS "allowedNetworks", t.expires_at AS "expiresAt",
         t.revoked_at AS "revokedAt",
         json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'slug', o.slug, 'status', o.status,
           'ancestorIds', o.ancestor_ids) AS organization,
         EXISTS (SELECT FROM organizations s WHERE s.tenant_id = $1 AND s.status = 'suspended'
           AND s.id = ANY (o.ancestor_ids || o.id)) AS suspended
       FROM scim_tokens t
       JOIN scim_connections c ON c.tenant_id = $1 AND c.id = t.connection_id
       JOIN organizations o ON o.tenant_id = $1 AND o.id = c.organization_id AND o.deleted_at IS NULL
       WHERE t.tenant_id = $1 AND t.id = $2`,
      [subject.tenantId, subject.id],
      LOOKUP,
    );
    return token;
  }

  async insertHash(ctx: RequestContext, hash: Buffer, { tenantId, id }: ScimToken): Promise<void> {
    await this.tokenHashes.insert(ctx, 'scim_token', hash, { tenantId, id });
  }

  /** Records the time of a use, unless a use was recorded less than a minute ago. */
  async recordUse(ctx: RequestContext, { tenantId, id }: Pick<KnownScimToken, 'tenantId' | 'id'>, at: Date): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE scim_tokens SET last_used_at = $3::timestamptz
       WHERE tenant_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $3::timestamptz - interval '1 minute')`,
      [tenantId, id, at],
      { prepared: true },
    );
  }
}
