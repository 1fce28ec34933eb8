import { Injectable } from '@nestjs/common';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { Owned, OwnerFlag } from '#directory/memberships';
import { DataSource, IsNull } from 'typeorm';
import { ApiKey, PLATFORM_TENANT } from './api-key.entity.js';

/** What authentication needs to know of a key. */
export interface KnownKey {
  readonly id: string;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly disabledAt: Date | null;
  readonly allowedNetworks: readonly string[] | null;
  readonly ownerTenantId: string | null;
  readonly ownerId: string | null;
  /** The key's organization, or one above it, is suspended. */
  readonly suspended: boolean;
}

/** A key that a user owns, with the owner and the organization as they are now. */
export interface OwnedKey extends Owned {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly flag: OwnerFlag | null;
  readonly isDisabled: boolean;
  readonly organization: Pick<OrganizationScope, 'id' | 'tenantId' | 'name' | 'ancestorIds'>;
}

/** API keys and the hashes that they are found by. */
@Injectable()
export class ApiKeyRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, key: ApiKey, hash: Buffer): Promise<void> {
    await this.rows(ctx, ApiKey).insert(key);
    await this.query(ctx, `INSERT INTO token_hashes (hash, kind, tenant_id, subject_id) VALUES ($1, 'api_key', $2, $3)`, [
      hash,
      key.tenantId,
      key.id,
    ]);
  }

  /** A key of the organization that is not revoked. */
  async find(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope, id: string): Promise<ApiKey | null> {
    return this.rows(ctx, ApiKey).findOneBy({ tenantId, organizationId, id, revokedAt: IsNull() });
  }

  /** The same, held until the transaction ends. */
  async lock(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope, id: string): Promise<ApiKey | null> {
    return this.rows(ctx, ApiKey).findOne({
      where: { tenantId, organizationId, id, revokedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** The organization's keys that are not revoked, newest first. */
  async list(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationScope,
    request: PageRequest,
  ): Promise<Page<ApiKey>> {
    return this.pageById(ctx, ApiKey, 'apiKey', { tenantId, organizationId, revokedAt: IsNull() }, request);
  }

  async hasSuccessor(ctx: RequestContext, { tenantId, organizationId, id }: ApiKey): Promise<boolean> {
    const rows = await this.query(
      ctx,
      'SELECT FROM api_keys WHERE tenant_id = $1 AND organization_id = $2 AND rotated_from_id = $3 LIMIT 1',
      [tenantId, organizationId, id],
    );
    return rows.length > 0;
  }

  async revoke(ctx: RequestContext, { tenantId, id }: ApiKey, at: Date): Promise<void> {
    await this.rows(ctx, ApiKey).update({ tenantId, id }, { revokedAt: at });
  }

  async expire(ctx: RequestContext, { tenantId, id }: ApiKey, at: Date): Promise<void> {
    await this.rows(ctx, ApiKey).update({ tenantId, id }, { expiresAt: at });
  }

  /** The key with this hash, unless its organization is deleted. */
  async findByHash(ctx: RequestContext, hash: Buffer): Promise<KnownKey | undefined> {
    const [key] = await this.query<KnownKey>(
      ctx,
      `SELECT k.id, k.tenant_id AS "tenantId", k.organization_id AS "organizationId", k.scopes, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
         k.disabled_at AS "disabledAt", k.allowed_networks AS "allowedNetworks",
         k.owner_tenant_id AS "ownerTenantId", k.owner_id AS "ownerId",
         EXISTS (SELECT FROM organizations s WHERE s.tenant_id = o.tenant_id AND s.status = 'suspended'
           AND s.id = ANY (o.ancestor_ids || o.id)) AS suspended
       FROM token_hashes h
       JOIN api_keys k ON k.tenant_id = h.tenant_id AND k.id = h.subject_id
       LEFT JOIN organizations o ON o.tenant_id = k.tenant_id AND o.id = k.organization_id AND o.deleted_at IS NULL
       WHERE h.hash = $1 AND h.kind = 'api_key' AND (k.tenant_id = '${PLATFORM_TENANT}' OR o.id IS NOT NULL)`,
      [hash],
    );
    return key;
  }

  /** Returns keys in use that users own, in a stable order, behind a given one. */
  async owned(
    ctx: RequestContext,
    now: Date,
    after: Pick<ApiKey, 'tenantId' | 'id'> | undefined,
    limit: number,
  ): Promise<OwnedKey[]> {
    return this.query(
      ctx,
      `SELECT k.tenant_id AS "tenantId", k.id, k.name, k.prefix, k.scopes, k.flag, k.disabled_at IS NOT NULL AS "isDisabled",
         k.owner_tenant_id AS "ownerTenantId", k.owner_id AS "ownerId",
         json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'ancestorIds', o.ancestor_ids) AS organization
       FROM api_keys k
       JOIN organizations o ON o.tenant_id = k.tenant_id AND o.id = k.organization_id AND o.deleted_at IS NULL
       WHERE k.owner_id IS NOT NULL AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)
         AND (k.tenant_id, k.id) > ($2, $3)
       ORDER BY k.tenant_id, k.id LIMIT $4`,
      [now, after?.tenantId ?? '', after?.id ?? '', limit],
    );
  }

  /** Flags a key, or takes the flag away; false when another process has just done so. */
  async setFlag(ctx: RequestContext, key: OwnedKey, flag: OwnerFlag | null, isDisabled: boolean, at: Date): Promise<boolean> {
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

  /** Notes that a key was used, unless that was noted less than a minute ago, by this process or another. */
  async touch(ctx: RequestContext, tenantId: string, id: string, at: Date, ipAddress: string | undefined): Promise<void> {
    await this.query(
      ctx,
      `UPDATE api_keys SET last_used_at = $3::timestamptz, last_used_ip = $4
       WHERE tenant_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $3::timestamptz - interval '1 minute')`,
      [tenantId, id, at, ipAddress ?? null],
    );
  }

  /** Notes that a key needed a permission on a day. */
  async notePermission(ctx: RequestContext, tenantId: string, id: string, permission: string, day: string): Promise<void> {
    await this.query(
      ctx,
      `UPDATE api_keys SET permissions_used = permissions_used || jsonb_build_object($3::text, $4::text)
       WHERE tenant_id = $1 AND id = $2 AND permissions_used ->> $3 IS DISTINCT FROM $4`,
      [tenantId, id, permission, day],
    );
  }

  /** Lets processes that set up platform keys take turns. */
  async lockPlatformKeys(ctx: RequestContext): Promise<void> {
    await this.lockWords(ctx, 'platform_keys');
  }

  async hasLivePlatformKey(ctx: RequestContext, at: Date): Promise<boolean> {
    const rows = await this.query(
      ctx,
      'SELECT FROM api_keys WHERE tenant_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) LIMIT 1',
      [PLATFORM_TENANT, at],
    );
    return rows.length > 0;
  }

  async unrevokePlatformKey(ctx: RequestContext, id: string): Promise<void> {
    await this.rows(ctx, ApiKey).update({ tenantId: PLATFORM_TENANT, id }, { revokedAt: null });
  }

  /** Revokes platform keys that came from the environment, except the one given; gives how many. */
  async revokeEnvironmentKeysExcept(ctx: RequestContext, id: string, at: Date): Promise<number> {
    return this.execute(
      ctx,
      `UPDATE api_keys SET revoked_at = $3 WHERE tenant_id = $1 AND source = 'environment' AND id <> $2 AND revoked_at IS NULL`,
      [PLATFORM_TENANT, id, at],
    );
  }
}
