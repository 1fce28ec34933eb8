import { Injectable } from '@nestjs/common';
import { PLATFORM_TENANT, type RequestContext } from '#platform/common';
import type { EventOrganization } from '#platform/events';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { OwnerFlag } from '#directory/memberships';
import type { SignInAuthorization, LossAuthorization, ReplacementAuthorization } from '#directory/privileges';
import { TokenHashQuery } from '#directory/sessions';
import { DataSource } from 'typeorm';
import type { ApiKey } from './api-key.entity.js';

const KNOWN_KEY_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  organizationId: column.nullable(column.text()),
  name: column.text(),
  last4: column.text(),
  scopes: column.arrayOf(column.text()),
  expiresAt: column.nullable(column.timestamp()),
  revokedAt: column.nullable(column.timestamp()),
  disabledAt: column.nullable(column.timestamp()),
  allowedNetworks: column.nullable(column.arrayOf(column.text())),
  ownerTenantId: column.nullable(column.text()),
  ownerId: column.nullable(column.text()),
  /** Whether the organization of the key or one of its ancestors is suspended. */
  suspended: column.boolean(),
});

export type KnownKey = Readonly<RowOf<typeof KNOWN_KEY_ROW>>;

const ID_ROW = row({ id: column.text() });

const OWNED_KEY_ROW = row({
  tenantId: column.text(),
  id: column.text(),
  name: column.text(),
  prefix: column.text(),
  scopes: column.arrayOf(column.text()),
  flag: column.nullable(column.text<OwnerFlag>()),
  isDisabled: column.boolean(),
  ownerTenantId: column.text(),
  ownerId: column.text(),
  organization: column.json<EventOrganization>(),
});

const REVOKED_KEY_ROW = row({
  id: column.text(),
  name: column.text(),
  prefix: column.text(),
  scopes: column.arrayOf(column.text()),
  organization: column.json<EventOrganization>(),
});

const LOOKUP = { prepared: true, connection: 'shared' } as const;

type RevokedKey = RowOf<typeof REVOKED_KEY_ROW>;

const ORGANIZATION = `json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'ancestorIds', o.ancestor_ids)`;

export type OwnedKey = Readonly<RowOf<typeof OWNED_KEY_ROW>>;

/** Finds API keys by hash, and updates keys with statements that are safe under concurrency. */
@Injectable()
export class ApiKeyQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly tokenHashes: TokenHashQuery,
  ) {
    super(dataSource);
  }

  /** Returns the API key with this hash, or undefined if there is none or its organization is deleted. */
  async findByHash(ctx: RequestContext, hash: Buffer): Promise<KnownKey | undefined> {
    const subject = await this.tokenHashes.find(ctx, 'api_key', hash);
    if (!subject) return undefined;
    const [key] = await this.query(
      ctx,
      KNOWN_KEY_ROW,
      `SELECT k.id, k.tenant_id AS "tenantId", k.organization_id AS "organizationId", k.name, k.last4, k.scopes, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
         k.disabled_at AS "disabledAt", k.allowed_networks AS "allowedNetworks",
         k.owner_tenant_id AS "ownerTenantId", k.owner_id AS "ownerId",
         EXISTS (SELECT FROM organizations s WHERE s.tenant_id = $1 AND s.status = 'suspended'
           AND s.id = ANY (o.ancestor_ids || o.id)) AS suspended
       FROM api_keys k
       LEFT JOIN organizations o ON o.tenant_id = k.tenant_id AND o.id = k.organization_id AND o.deleted_at IS NULL
       WHERE k.tenant_id = $1 AND k.id = $2 AND (k.tenant_id = '${PLATFORM_TENANT}' OR o.id IS NOT NULL)`,
      [subject.tenantId, subject.id],
      LOOKUP,
    );
    return key;
  }

  async insertHash(ctx: RequestContext, hash: Buffer, { tenantId, id }: ApiKey): Promise<void> {
    await this.tokenHashes.insert(ctx, 'api_key', hash, { tenantId, id });
  }

  async deleteOfOrganizations(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    _loss: LossAuthorization,
  ): Promise<void> {
    const deleted = await this.query(
      ctx,
      ID_ROW,
      'DELETE FROM api_keys WHERE tenant_id = $1 AND organization_id = ANY($2) RETURNING id',
      [tenantId, organizationIds],
    );
    await this.tokenHashes.deleteOf(
      ctx,
      'api_key',
      tenantId,
      deleted.map(({ id }) => id),
    );
  }

  /** Returns valid API keys that have an owner, sorted by tenant and id, after the key `after`. */
  async listOwned(
    ctx: RequestContext,
    now: Date,
    after: Pick<ApiKey, 'tenantId' | 'id'> | undefined,
    limit: number,
  ): Promise<OwnedKey[]> {
    return this.query(
      ctx,
      OWNED_KEY_ROW,
      `SELECT k.tenant_id AS "tenantId", k.id, k.name, k.prefix, k.scopes, k.flag, k.disabled_at IS NOT NULL AS "isDisabled",
         k.owner_tenant_id AS "ownerTenantId", k.owner_id AS "ownerId",
         ${ORGANIZATION} AS organization
       FROM api_keys k
       JOIN organizations o ON o.tenant_id = k.tenant_id AND o.id = k.organization_id AND o.deleted_at IS NULL
       WHERE k.owner_id IS NOT NULL AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)
         AND (k.tenant_id, k.id) > ($2, $3)
       ORDER BY k.tenant_id, k.id LIMIT $4`,
      [now, after?.tenantId ?? '', after?.id ?? '', limit],
    );
  }

  /** Revokes the API keys that a user owns, in these tenants. Returns the revoked keys. */
  async revokeOwned(
    ctx: RequestContext,
    owner: Pick<ApiKey, 'tenantId' | 'id'>,
    tenantIds: readonly string[],
    at: Date,
    _signIn: SignInAuthorization,
  ): Promise<RevokedKey[]> {
    return this.query(
      ctx,
      REVOKED_KEY_ROW,
      // Citus accepts only immutable functions in RETURNING.
      `WITH k AS (
         UPDATE api_keys SET revoked_at = $4
         WHERE tenant_id = ANY ($1) AND owner_tenant_id = $2 AND owner_id = $3 AND revoked_at IS NULL
         RETURNING tenant_id, organization_id, id, name, prefix, scopes
       )
       SELECT k.id, k.name, k.prefix, k.scopes, ${ORGANIZATION} AS organization
       FROM k JOIN organizations o ON o.tenant_id = k.tenant_id AND o.id = k.organization_id WHERE o.tenant_id = ANY ($1)`,
      [tenantIds, owner.tenantId, owner.id, at],
    );
  }

  /** Sets the flag of an API key; null removes the flag. Returns false if nothing changed, for example because another process was first. */
  async setFlag(
    ctx: RequestContext,
    key: OwnedKey,
    flag: OwnerFlag | null,
    isDisabled: boolean,
    at: Date,
    _authorization: ReplacementAuthorization,
  ): Promise<boolean> {
    const changed = await this.execute(
      ctx,
      `UPDATE api_keys SET flag = $3, flagged_at = CASE WHEN $3::text IS NULL THEN NULL ELSE coalesce(flagged_at, $5::timestamptz) END,
         disabled_at = CASE WHEN $4::boolean THEN coalesce(disabled_at, $5::timestamptz) END
       WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL
         AND (flag IS DISTINCT FROM $3::text OR (disabled_at IS NOT NULL) <> $4::boolean)`,
      [key.tenantId, key.id, flag, isDisabled, at],
    );
    return changed === 1;
  }

  /** Records the time and address of a use, unless a use was recorded less than a minute ago. */
  async recordUse(ctx: RequestContext, tenantId: string, id: string, at: Date, ipAddress: string | undefined): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE api_keys SET last_used_at = $3::timestamptz, last_used_ip = $4
       WHERE tenant_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $3::timestamptz - interval '1 minute')`,
      [tenantId, id, at, ipAddress ?? null],
      { prepared: true },
    );
  }

  /** Records the last day (UTC) on which a request with the key needed the permission. */
  async recordPermissionUse(ctx: RequestContext, tenantId: string, id: string, permission: string, day: string): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE api_keys SET permissions_used = permissions_used || jsonb_build_object($3::text, $4::text)
       WHERE tenant_id = $1 AND id = $2 AND permissions_used ->> $3 IS DISTINCT FROM $4`,
      [tenantId, id, permission, day],
      { prepared: true },
    );
  }
}
