import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  assertFutureExpiry,
  assertRecentlyAuthenticated,
  type Caller,
  InvalidRequest,
  isWithinNetworks,
  newId,
  normalizedNetworks,
  organizationOf,
  ownerFor,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
  type FieldProblemCode,
} from '#platform/common';
import { AppConfig } from '#platform/config';
import { generateApiKey, hashToken } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import {
  EffectiveSettingsService,
  type OrganizationLifecycleHandler,
  OrganizationLifecycleHandlers,
} from '#directory/organizations';
import { type GainAuthorization, type LossAuthorization, PrivilegesService, unneeded } from '#directory/privileges';
import { type AccessRemoval, AccountAccess, type UserWithOrganization } from '#directory/users';
import { ApiKeyAlreadyRotated, ApiKeyExpired, KeyLimitsExceeded } from './api-key-errors.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyQuery } from './api-key.query.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { ApiKeyLookupService } from './api-key-lookup.service.js';

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  /** Networks in CIDR notation from which the key works; null for all networks. */
  readonly allowedNetworks: readonly string[] | null;
}

/** An API key with its secret value, which is returned only once. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/**
 * Manages the API keys of the organization in the context. Revokes the API keys of users who lose all access to their accounts, and deletes
 * the API keys of purged organizations.
 */
@Injectable()
export class ApiKeysService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly apiKeyRepository: ApiKeyRepository,
    private readonly apiKeyQuery: ApiKeyQuery,
    private readonly apiKeyLookup: ApiKeyLookupService,
    private readonly privileges: PrivilegesService,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly organizationLifecycle: OrganizationLifecycleHandlers,
    private readonly accountAccess: AccountAccess,
    private readonly config: AppConfig,
    private readonly work: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.organizationLifecycle.register(this);
    this.accountAccess.register((ctx, owner, removal) => this.revokeOwned(ctx, owner, removal));
  }

  /**
   * @throws GrantBeyondOwn if the caller lacks one of the scopes; ReauthenticationRequired; KeyLimitsExceeded; InvalidRequest for an invalid
   * expiry
   */
  async create(ctx: RequestContext, properties: NewApiKey): Promise<IssuedApiKey> {
    const gain = this.privileges.authorizePermissions(ctx, organizationOf(ctx), 'The API key', properties.scopes);
    assertRecentlyAuthenticated(ctx, this.work.now());
    const { expiresAt } = properties;
    assertFutureExpiry(expiresAt, this.work.now());
    const latestAllowed = await this.latestExpiry(ctx);
    if (expiresAt && latestAllowed && expiresAt > latestAllowed)
      throw invalidExpiry(
        'too_late',
        `expiresAt must be no later than ${latestAllowed.toISOString()}, because the organization limits the lifetime of API keys.`,
      );
    const limits = ctx.caller.keyLimits;
    const allowedNetworks = properties.allowedNetworks
      ? normalizedNetworks(properties.allowedNetworks, '/allowedNetworks')
      : (limits?.allowedNetworks ?? null);
    const effectiveExpiry = expiresAt ?? earlier(latestAllowed, limits?.expiresAt ?? null);
    return this.work.run(ctx, (ctx) =>
      this.issue(ctx, { ...properties, expiresAt: effectiveExpiry, allowedNetworks }, null, gain),
    );
  }

  async list(ctx: RequestContext, request: PageRequest): Promise<Page<ApiKey>> {
    return this.apiKeyRepository.list(ctx, organizationOf(ctx), request);
  }

  /** @throws ResourceNotFound if the API key does not exist or is revoked */
  async get(ctx: RequestContext, id: string): Promise<ApiKey> {
    const key = await this.apiKeyRepository.find(ctx, organizationOf(ctx), id);
    if (!key) throw new ResourceNotFound('api_key', id);
    return key;
  }

  /**
   * Creates a successor with the name, scopes and expiry of an API key. The organization can limit the expiry. The existing key expires
   * after `overlapSeconds`.
   * @throws GrantBeyondOwn if the caller lacks a scope of the key; ReauthenticationRequired; ApiKeyExpired; ApiKeyAlreadyRotated;
   * KeyLimitsExceeded
   */
  async rotate(ctx: RequestContext, id: string, overlapSeconds: number): Promise<IssuedApiKey> {
    return this.work.run(ctx, async (ctx) => {
      const previous = await this.lock(ctx, id);
      const gain = this.privileges.authorizePermissions(ctx, organizationOf(ctx), 'The API key', previous.scopes);
      const loss = this.authorizeRevocation(ctx, previous);
      const now = this.work.now();
      assertRecentlyAuthenticated(ctx, now);
      if (previous.expiresAt && previous.expiresAt <= now) throw new ApiKeyExpired(id);
      if (await this.apiKeyRepository.hasSuccessor(ctx, previous)) throw new ApiKeyAlreadyRotated(id);

      const latestAllowed = await this.latestExpiry(ctx);
      const expiresAt = earlier(earlier(previous.expiresAt, latestAllowed), ctx.caller.keyLimits?.expiresAt ?? null);
      const issued = await this.issue(ctx, { ...previous, expiresAt }, previous, gain);
      const endsAt = new Date(now.getTime() + overlapSeconds * 1_000);
      if (overlapSeconds === 0) await this.apiKeyRepository.revoke(ctx, previous, now, loss);
      else if (!previous.expiresAt || endsAt < previous.expiresAt)
        await this.apiKeyRepository.expire(ctx, previous, endsAt, loss);
      await this.publishRevoked(ctx, previous, 'rotated');
      return issued;
    });
  }

  /** @throws ResourceNotFound if the API key does not exist or is already revoked; GrantBeyondOwn if the caller lacks a scope of the key */
  async revoke(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const key = await this.lock(ctx, id);
      await this.apiKeyRepository.revoke(ctx, key, this.work.now(), this.authorizeRevocation(ctx, key));
      await this.publishRevoked(ctx, key, 'revoked');
    });
  }

  /** Clears the key caches of all processes when an organization is suspended, activated or deleted. */
  onStatusChanged(ctx: RequestContext): void {
    this.apiKeyLookup.invalidate(ctx, '*');
  }

  async onDeleted(ctx: RequestContext): Promise<void> {
    this.apiKeyLookup.invalidate(ctx, '*');
  }

  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.apiKeyQuery.deleteOfOrganizations(ctx, tenantId, organizationIds, loss);
  }

  private async revokeOwned(
    ctx: RequestContext,
    { user }: UserWithOrganization,
    { reason, signIn }: AccessRemoval,
  ): Promise<void> {
    const tenantIds = [user.tenantId, ...user.guestTenantIds];
    for (const { id, name, prefix, scopes, organization } of await this.apiKeyQuery.revokeOwned(
      ctx,
      user,
      tenantIds,
      this.work.now(),
      signIn,
    )) {
      await this.work.publish(ctx, 'security.api_key_revoked', organization, { id, name, prefix, scopes, reason });
      this.apiKeyLookup.invalidate(ctx, id);
    }
  }

  /** Returns the latest expiry that the organization allows for a new API key; null for no limit. */
  private async latestExpiry(ctx: RequestContext): Promise<Date | null> {
    const { maxApiKeyLifetime } = (await this.effectiveSettings.get(ctx, organizationOf(ctx))).values;
    return maxApiKeyLifetime === 0 ? null : new Date(this.work.now().getTime() + maxApiKeyLifetime * 1_000);
  }

  /** The programs that use the key lose its permissions. */
  private authorizeRevocation(ctx: RequestContext, key: ApiKey): LossAuthorization {
    const { kind, id } = ctx.caller;
    if ((kind === 'key' && id === key.id) || (kind === 'user' && id === key.ownerId)) return unneeded<'loss'>('own_credential');
    return this.privileges.authorizeRevocation(ctx, organizationOf(ctx), 'The API key', key.scopes);
  }

  private async lock(ctx: RequestContext, id: string): Promise<ApiKey> {
    const key = await this.apiKeyRepository.lock(ctx, organizationOf(ctx), id);
    if (!key) throw new ResourceNotFound('api_key', id);
    return key;
  }

  private async issue(
    ctx: RequestContext,
    properties: NewApiKey,
    rotatedFrom: ApiKey | null,
    gain: GainAuthorization,
  ): Promise<IssuedApiKey> {
    assertWithinLimits(ctx.caller, properties);
    const organization = organizationOf(ctx);
    const { key, prefix, last4 } = generateApiKey(this.config.serviceName);
    const apiKey = Object.assign(new ApiKey(), {
      tenantId: organization.tenantId,
      id: newId('apiKey'),
      organizationId: organization.id,
      name: properties.name,
      scopes: [...properties.scopes],
      prefix,
      last4,
      source: 'api',
      createdByType: ctx.caller.kind,
      createdById: ctx.caller.id ?? null,
      ...ownerFor(ctx.caller),
      rotatedFromId: rotatedFrom?.id ?? null,
      expiresAt: properties.expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      lastUsedIp: null,
      allowedNetworks: properties.allowedNetworks && [...properties.allowedNetworks],
      permissionsUsed: rotatedFrom?.permissionsUsed ?? {},
      flag: null,
      flaggedAt: null,
      disabledAt: null,
      createdAt: this.work.now(),
    } satisfies ApiKey);
    await this.apiKeyRepository.insert(ctx, apiKey, gain);
    await this.apiKeyQuery.insertHash(ctx, hashToken(key), apiKey);
    const expiresAt = apiKey.expiresAt?.toISOString() ?? null;
    await this.work.publish(ctx, 'security.api_key_created', organization, { ...eventData(apiKey), expiresAt });
    return { apiKey, key };
  }

  private async publishRevoked(ctx: RequestContext, key: ApiKey, reason: 'rotated' | 'revoked'): Promise<void> {
    await this.work.publish(ctx, 'security.api_key_revoked', organizationOf(ctx), { ...eventData(key), reason });
    this.apiKeyLookup.invalidate(ctx, key.id);
  }
}

/** Returns the earlier of two times; null means never. */
const earlier = (first: Date | null, second: Date | null): Date | null => (!first || (second && second < first) ? second : first);

function assertWithinLimits({ keyLimits }: Caller, { expiresAt, allowedNetworks }: NewApiKey): void {
  if (!keyLimits) return;
  const endsLater = keyLimits.expiresAt && (!expiresAt || expiresAt > keyLimits.expiresAt);
  const limits = keyLimits.allowedNetworks;
  const isWider = limits && !allowedNetworks?.every((network) => isWithinNetworks(network, limits));
  if (endsLater || isWider) throw new KeyLimitsExceeded();
}

const invalidExpiry = (code: FieldProblemCode, message: string): InvalidRequest =>
  new InvalidRequest([{ pointer: '/expiresAt', in: 'body', code, message }]);

const eventData = ({ id, name, prefix, scopes }: ApiKey) => ({ id, name, prefix, scopes });
