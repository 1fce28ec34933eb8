import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { IsNull, MoreThan, Not, Repository } from 'typeorm';
import { ApiKey, PLATFORM_TENANT } from './api-key.entity.js';

@Injectable()
export class ApiKeyRepository extends BaseRepository<ApiKey> {
  constructor(@InjectRepository(ApiKey) keys: Repository<ApiKey>) {
    super(keys);
  }

  async insert(ctx: RequestContext, key: ApiKey): Promise<void> {
    await this.rows(ctx).insert(key);
  }

  /** Returns an API key of the organization, or null if there is none or it is revoked. */
  async find(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope, id: string): Promise<ApiKey | null> {
    return this.rows(ctx).findOneBy({ tenantId, organizationId, id, revokedAt: IsNull() });
  }

  /** Returns the same as `find`, and locks the API key until the transaction ends. */
  async lock(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope, id: string): Promise<ApiKey | null> {
    return this.rows(ctx).findOne({
      where: { tenantId, organizationId, id, revokedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Returns a page of the organization's API keys that are not revoked, newest first. */
  async list(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationScope,
    request: PageRequest,
  ): Promise<Page<ApiKey>> {
    return this.findPage(ctx, 'apiKey', { tenantId, organizationId, revokedAt: IsNull() }, request);
  }

  /** Returns whether a rotation of the API key has created a successor. */
  async hasSuccessor(ctx: RequestContext, { tenantId, organizationId, id }: ApiKey): Promise<boolean> {
    return this.rows(ctx).existsBy({ tenantId, organizationId: organizationId ?? IsNull(), rotatedFromId: id });
  }

  async revoke(ctx: RequestContext, { tenantId, id }: ApiKey, at: Date): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { revokedAt: at });
  }

  async expire(ctx: RequestContext, { tenantId, id }: ApiKey, at: Date): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { expiresAt: at });
  }

  /** Returns whether there is a platform key that is neither revoked nor expired. */
  async hasActivePlatformKey(ctx: RequestContext, now: Date): Promise<boolean> {
    const active = { tenantId: PLATFORM_TENANT, revokedAt: IsNull() };
    return this.rows(ctx).existsBy([
      { ...active, expiresAt: IsNull() },
      { ...active, expiresAt: MoreThan(now) },
    ]);
  }

  /** Makes a revoked platform key valid again. */
  async restorePlatformKey(ctx: RequestContext, id: string): Promise<void> {
    await this.rows(ctx).update({ tenantId: PLATFORM_TENANT, id }, { revokedAt: null });
  }

  /** Revokes the platform keys from the environment, except the key with this id. Returns the number of revoked keys. */
  async revokeEnvironmentKeysExcept(ctx: RequestContext, id: string, at: Date): Promise<number> {
    const others = { tenantId: PLATFORM_TENANT, source: 'environment' as const, id: Not(id), revokedAt: IsNull() };
    return (await this.rows(ctx).update(others, { revokedAt: at })).affected ?? 0;
  }
}
