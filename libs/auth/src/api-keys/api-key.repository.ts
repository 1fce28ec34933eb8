import { Injectable } from '@nestjs/common';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#common';
import { BaseRepository } from '#database';
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
}

/** API keys and the hashes that they are found by. */
@Injectable()
export class ApiKeyRepository extends BaseRepository {
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
      `SELECT k.id, k.tenant_id AS "tenantId", k.organization_id AS "organizationId", k.scopes, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt"
       FROM token_hashes h
       JOIN api_keys k ON k.tenant_id = h.tenant_id AND k.id = h.subject_id
       LEFT JOIN organizations o ON o.tenant_id = k.tenant_id AND o.id = k.organization_id AND o.deleted_at IS NULL
       WHERE h.hash = $1 AND h.kind = 'api_key' AND (k.tenant_id = '${PLATFORM_TENANT}' OR o.id IS NOT NULL)`,
      [hash],
    );
    return key;
  }

  /** Notes that a key was used, unless that was noted less than a minute ago, by this process or another. */
  async touch(ctx: RequestContext, tenantId: string, id: string, at: Date): Promise<void> {
    await this.query(
      ctx,
      `UPDATE api_keys SET last_used_at = $3::timestamptz
       WHERE tenant_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $3::timestamptz - interval '1 minute')`,
      [tenantId, id, at],
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
