import { Injectable } from '@nestjs/common';
import { newId, PLATFORM_TENANT, type RequestContext, systemContext } from '#platform/common';
import { lockKey } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { generateApiKey, hashToken, parseApiKey } from '#platform/crypto';
import { unneeded } from '#directory/privileges';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyQuery } from './api-key.query.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { ApiKeyLookupService } from './api-key-lookup.service.js';

/** Creates platform keys, from `PLATFORM_API_KEY` or at the first start. A platform key has access to everything. */
@Injectable()
export class PlatformKeysService {
  constructor(
    private readonly apiKeyRepository: ApiKeyRepository,
    private readonly apiKeyQuery: ApiKeyQuery,
    private readonly apiKeyLookup: ApiKeyLookupService,
    private readonly work: UnitOfWork,
    private readonly config: AppConfig,
  ) {}

  /**
   * Makes `PLATFORM_API_KEY` the only valid platform key from the environment. Without `PLATFORM_API_KEY` and without a platform key,
   * creates and returns a key for the welcome message. A lock prevents concurrent processes from creating several keys.
   * @throws Error if `PLATFORM_API_KEY` is the API key of an organization
   */
  async ensure(): Promise<string | undefined> {
    return this.work.run(systemContext(newId('request')), async (ctx) => {
      await lockKey(ctx, 'platform_keys');
      if (this.config.platformApiKey !== undefined) return this.adopt(ctx, this.config.platformApiKey);
      if (await this.apiKeyRepository.hasActivePlatformKey(ctx, this.work.now())) return undefined;
      const { key, prefix, last4 } = generateApiKey(this.config.serviceName);
      await this.insert(ctx, this.platformKey('first_start', prefix, last4), hashToken(key));
      return key;
    });
  }

  /** Returns whether a platform key is valid now. */
  async exists(): Promise<boolean> {
    return this.apiKeyRepository.hasActivePlatformKey(systemContext(newId('request')), this.work.now());
  }

  private async adopt(ctx: RequestContext, key: string): Promise<undefined> {
    const hash = hashToken(key);
    const existing = await this.apiKeyQuery.findByHash(ctx, hash);
    if (existing && existing.tenantId !== PLATFORM_TENANT)
      throw new Error('PLATFORM_API_KEY is already the API key of an organization. Choose another key.');
    if (existing?.revokedAt) await this.apiKeyRepository.restorePlatformKey(ctx, existing.id, unneeded<'gain'>('platform_key'));
    const id = existing?.id ?? (await this.insertEnvironmentKey(ctx, key, hash));
    const revokedCount = await this.apiKeyRepository.revokeEnvironmentKeysExcept(
      ctx,
      id,
      this.work.now(),
      unneeded<'loss'>('platform_key'),
    );
    if (revokedCount > 0 || existing?.revokedAt) this.apiKeyLookup.invalidate(ctx, '*');
  }

  private async insertEnvironmentKey(ctx: RequestContext, key: string, hash: Buffer): Promise<string> {
    // The operator can choose a key without the usual form. No part of such a key is stored.
    const parts = parseApiKey(key);
    const platformKey = this.platformKey('environment', parts?.prefix ?? '', parts?.last4 ?? '');
    await this.insert(ctx, platformKey, hash);
    return platformKey.id;
  }

  private async insert(ctx: RequestContext, key: ApiKey, hash: Buffer): Promise<void> {
    await this.apiKeyRepository.insert(ctx, key, unneeded<'gain'>('platform_key'));
    await this.apiKeyQuery.insertHash(ctx, hash, key);
  }

  private platformKey(source: 'environment' | 'first_start', prefix: string, last4: string): ApiKey {
    return Object.assign(new ApiKey(), {
      tenantId: PLATFORM_TENANT,
      id: newId('apiKey'),
      organizationId: null,
      name: source === 'environment' ? 'PLATFORM_API_KEY' : 'First start',
      scopes: ['*'],
      prefix,
      last4,
      source,
      createdByType: 'system',
      createdById: null,
      ownerTenantId: null,
      ownerId: null,
      rotatedFromId: null,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      lastUsedIp: null,
      allowedNetworks: null,
      permissionsUsed: {},
      flag: null,
      flaggedAt: null,
      disabledAt: null,
      createdAt: this.work.now(),
    } satisfies ApiKey);
  }
}
