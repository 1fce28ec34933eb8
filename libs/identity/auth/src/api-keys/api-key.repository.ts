import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type OrganizationScope, type Page, type PageRequest, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { IsNull, MoreThan, Not, Repository } from 'typeorm';
import { ApiKey } from './api-key.entity.js';

@Injectable()
export class ApiKeyRepository extends BaseRepository<ApiKey> {
  constructor(@InjectRepository(ApiKey) keys: Repository<ApiKey>) {
    super(keys);
  }

  async insert(ctx: RequestContext, key: ApiKey, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).insert(key);
  }

  /** Returns an API key, or null if the key is revoked or does not exist in the organization. */
  async find(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope, id: string): Promise<ApiKey | null> {
    return this.rows(ctx).findOneBy({ tenantId, organizationId, id, revokedAt: IsNull() });
  }

  /** Locks an API key until the transaction ends. Returns null if the key is revoked or does not exist in the organization. */
  async lock(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope, id: string): Promise<ApiKey | null> {
    return this.rows(ctx).findOne({
      where: { tenantId, organizationId, id, revokedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Returns a page of the organization's API keys, newest first, without revoked keys. */
  async list(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationScope,
    request: PageRequest,
  ): Promise<Page<ApiKey>> {
    return this.findPage(ctx, 'apiKey', { tenantId, organizationId, revokedAt: IsNull() }, request);
  }

  async hasSuccessor(ctx: RequestContext, { tenantId, organizationId, id }: ApiKey): Promise<boolean> {
    return this.rows(ctx).existsBy({ tenantId, organizationId: organizationId ?? IsNull(), rotatedFromId: id });
  }

  async revoke(ctx: RequestContext, { tenantId, id }: ApiKey, at: Date, _loss: LossAuthorization): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { revokedAt: at });
  }

  async expire(ctx: RequestContext, { tenantId, id }: ApiKey, at: Date, _loss: LossAuthorization): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { expiresAt: at });
  }

  /** Returns whether a platform key exists that is neither revoked nor expired. */
  async hasActivePlatformKey(ctx: RequestContext, now: Date): Promise<boolean> {
    const active = { tenantId: PLATFORM_TENANT, revokedAt: IsNull() };
    return this.rows(ctx).existsBy([
      { ...active, expiresAt: IsNull() },
      { ...active, expiresAt: MoreThan(now) },
    ]);
  }

  async restorePlatformKey(ctx: RequestContext, id: string, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).update({ tenantId: PLATFORM_TENANT, id }, { revokedAt: null });
  }

  /** Revokes all platform keys from the environment, except the key `id`. Returns the number of revoked keys. */
  async revokeEnvironmentKeysExcept(ctx: RequestContext, id: string, at: Date, _loss: LossAuthorization): Promise<number> {
    const otherKeys = { tenantId: PLATFORM_TENANT, source: 'environment' as const, id: Not(id), revokedAt: IsNull() };
    return (await this.rows(ctx).update(otherKeys, { revokedAt: at })).affected ?? 0;
  }
}
