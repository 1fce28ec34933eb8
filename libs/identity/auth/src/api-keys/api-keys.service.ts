import { Injectable } from '@nestjs/common';
import {
  assertGrantable,
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
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { generateApiKey, hashToken } from '#platform/crypto';
import { EffectiveSettingsService } from '#directory/organizations';
import { ApiKeyAlreadyRotated, ApiKeyExpired, KeyLimitsExceeded } from './api-key-errors.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyQuery } from './api-key.query.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { ApiKeyLookupService } from './api-key-lookup.service.js';

/** What is wanted of a new key. */
export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  /** From where it works, in CIDR form; null: from everywhere. */
  readonly allowedNetworks: readonly string[] | null;
}

/** A key together with the text that is shown once. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** API keys of the addressed organization. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly query: ApiKeyQuery,
    private readonly lookups: ApiKeyLookupService,
    private readonly work: UnitOfWork,
    private readonly settings: EffectiveSettingsService,
    private readonly config: AppConfig,
  ) {}

  /**
   * @throws GrantBeyondOwn when it would have scopes that the caller lacks; ReauthenticationRequired; KeyLimitsExceeded; InvalidRequest when it would
   * have expired already
   */
  async create(ctx: RequestContext, wanted: NewApiKey): Promise<IssuedApiKey> {
    assertGrantable(ctx.caller, organizationOf(ctx), 'The API key', wanted.scopes);
    assertRecentlyAuthenticated(ctx, this.work.now());
    const { expiresAt } = wanted;
    if (expiresAt && expiresAt <= this.work.now()) throw invalidExpiry('not_in_future', 'expiresAt must be in the future.');
    const latest = await this.latestEnd(ctx);
    if (expiresAt && latest && expiresAt > latest)
      throw invalidExpiry(
        'too_late',
        `expiresAt must be no later than ${latest.toISOString()}, because the organization limits the lifetime of API keys.`,
      );
    const limits = ctx.caller.keyLimits;
    const allowedNetworks = wanted.allowedNetworks
      ? normalizedNetworks(wanted.allowedNetworks, '/allowedNetworks')
      : (limits?.allowedNetworks ?? null);
    const end = expiresAt ?? earlier(latest, limits?.expiresAt ?? null);
    return this.work.run(ctx, (ctx) => this.issue(ctx, { ...wanted, expiresAt: end, allowedNetworks }, null));
  }

  async list(ctx: RequestContext, request: PageRequest): Promise<Page<ApiKey>> {
    return this.keys.list(ctx, organizationOf(ctx), request);
  }

  /** @throws ResourceNotFound when there is none, or it is revoked. */
  async get(ctx: RequestContext, id: string): Promise<ApiKey> {
    const key = await this.keys.find(ctx, organizationOf(ctx), id);
    if (!key) throw new ResourceNotFound('api_key', id);
    return key;
  }

  /**
   * Makes a key with the name, scopes and, as far as the organization allows it, the expiry of this one, which works for `overlapSeconds` more and then ends.
   * @throws GrantBeyondOwn when the caller lacks a scope of it, since the new key would hand that over; ReauthenticationRequired; ApiKeyExpired;
   * ApiKeyAlreadyRotated; KeyLimitsExceeded.
   */
  async rotate(ctx: RequestContext, id: string, overlapSeconds: number): Promise<IssuedApiKey> {
    return this.work.run(ctx, async (ctx) => {
      const old = await this.locked(ctx, id);
      assertGrantable(ctx.caller, organizationOf(ctx), 'The API key', old.scopes);
      const now = this.work.now();
      assertRecentlyAuthenticated(ctx, now);
      if (old.expiresAt && old.expiresAt <= now) throw new ApiKeyExpired(id);
      if (await this.keys.hasSuccessor(ctx, old)) throw new ApiKeyAlreadyRotated(id);

      const latest = await this.latestEnd(ctx);
      const expiresAt = earlier(earlier(old.expiresAt, latest), ctx.caller.keyLimits?.expiresAt ?? null);
      const issued = await this.issue(ctx, { ...old, expiresAt }, old);
      const endsAt = new Date(now.getTime() + overlapSeconds * 1_000);
      if (overlapSeconds === 0) await this.keys.revoke(ctx, old, now);
      else if (!old.expiresAt || endsAt < old.expiresAt) await this.keys.expire(ctx, old, endsAt);
      await this.ended(ctx, old, 'rotated');
      return issued;
    });
  }

  /** @throws ResourceNotFound when there is none, or it is revoked already. */
  async revoke(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const key = await this.locked(ctx, id);
      await this.keys.revoke(ctx, key, this.work.now());
      await this.ended(ctx, key, 'revoked');
    });
  }

  /** When a key that is made now must end; null: never. */
  private async latestEnd(ctx: RequestContext): Promise<Date | null> {
    const { maxApiKeyLifetime } = (await this.settings.of(ctx, organizationOf(ctx))).values;
    return maxApiKeyLifetime === 0 ? null : new Date(this.work.now().getTime() + maxApiKeyLifetime * 1_000);
  }

  private async locked(ctx: RequestContext, id: string): Promise<ApiKey> {
    const key = await this.keys.lock(ctx, organizationOf(ctx), id);
    if (!key) throw new ResourceNotFound('api_key', id);
    return key;
  }

  private async issue(ctx: RequestContext, wanted: NewApiKey, rotatedFrom: ApiKey | null): Promise<IssuedApiKey> {
    assertWithinLimits(ctx.caller, wanted);
    const organization = organizationOf(ctx);
    const { key, prefix, last4 } = generateApiKey(this.config.serviceName);
    const apiKey = Object.assign(new ApiKey(), {
      tenantId: organization.tenantId,
      id: newId('apiKey'),
      organizationId: organization.id,
      name: wanted.name,
      scopes: [...wanted.scopes],
      prefix,
      last4,
      source: 'api',
      createdByType: ctx.caller.kind,
      createdById: ctx.caller.id ?? null,
      ...ownerFor(ctx.caller),
      rotatedFromId: rotatedFrom?.id ?? null,
      expiresAt: wanted.expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      lastUsedIp: null,
      allowedNetworks: wanted.allowedNetworks && [...wanted.allowedNetworks],
      permissionsUsed: rotatedFrom?.permissionsUsed ?? {},
      flag: null,
      flaggedAt: null,
      disabledAt: null,
      createdAt: this.work.now(),
    } satisfies ApiKey);
    await this.keys.insert(ctx, apiKey);
    await this.query.insertHash(ctx, hashToken(key), apiKey);
    const expiresAt = apiKey.expiresAt?.toISOString() ?? null;
    await this.work.publish(ctx, 'security.api_key_created', organization, { ...shown(apiKey), expiresAt });
    return { apiKey, key };
  }

  private async ended(ctx: RequestContext, key: ApiKey, reason: 'rotated' | 'revoked'): Promise<void> {
    await this.work.publish(ctx, 'security.api_key_revoked', organizationOf(ctx), { ...shown(key), reason });
    this.lookups.changed(ctx, key.id);
  }
}

/** The earlier of two ends; null stands for none. */
const earlier = (one: Date | null, other: Date | null): Date | null => (!one || (other && other < one) ? other : one);

/** @throws KeyLimitsExceeded (403) */
function assertWithinLimits({ keyLimits }: Caller, { expiresAt, allowedNetworks }: NewApiKey): void {
  if (!keyLimits) return;
  const endsLater = keyLimits.expiresAt && (!expiresAt || expiresAt > keyLimits.expiresAt);
  const limits = keyLimits.allowedNetworks;
  const isWider = limits && !allowedNetworks?.every((network) => isWithinNetworks(network, limits));
  if (endsLater || isWider) throw new KeyLimitsExceeded();
}

const invalidExpiry = (code: string, message: string): InvalidRequest =>
  new InvalidRequest([{ pointer: '/expiresAt', in: 'body', code, message }]);

const shown = ({ id, name, prefix, scopes }: ApiKey) => ({ id, name, prefix, scopes });
