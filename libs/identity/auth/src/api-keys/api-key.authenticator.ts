import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Actor, type Caller, Clock, isInNetworks, PLATFORM_TENANT, type RequestOrigin } from '#platform/common';
import { AppConfig } from '#platform/config';
import { constantTimeEqual, hashToken, parseApiKey } from '#platform/crypto';
import { NetworkNotAllowed, Unauthenticated } from '../access/access-errors.js';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
} from '../access/credential-authenticator.js';
import type { KnownKey } from './api-key.query.js';
import { ApiKeyLookupService } from './api-key-lookup.service.js';
import { ApiKeyUsageService } from './api-key-usage.service.js';

/** Authenticates API keys: generated keys, which have a known form and a checksum, and the key in `PLATFORM_API_KEY`. */
@Injectable()
export class ApiKeyAuthenticator implements CredentialAuthenticator, OnModuleInit {
  /** Excludes cookies: browsers use sessions, which expire. */
  readonly transports = ['bearer'] as const;
  private readonly platformKeyHash: Buffer | undefined;

  constructor(
    private readonly apiKeyLookup: ApiKeyLookupService,
    private readonly apiKeyUsage: ApiKeyUsageService,
    { platformApiKey }: AppConfig,
    private readonly clock: Clock,
    private readonly authenticators: CredentialAuthenticators,
  ) {
    this.platformKeyHash = platformApiKey === undefined ? undefined : hashToken(platformApiKey);
  }

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  async authenticate(token: string, origin: RequestOrigin = {}): Promise<AuthenticatedCaller | null> {
    const hash = hashToken(token);
    if (!this.isApiKey(token, hash)) return null;
    const key = await this.apiKeyLookup.find(hash);
    if (!key)
      throw new Unauthenticated('This API key is unknown. It may belong to another installation or to a deleted organization.');
    if (key.revokedAt) throw new Unauthenticated('This API key has been revoked. Use another key.');
    if (key.expiresAt && key.expiresAt <= this.clock.now())
      throw new Unauthenticated('This API key has expired. Use another key.');
    if (key.disabledAt)
      throw new Unauthenticated(
        'This API key is disabled because its owner is suspended or deleted, or lacks permissions that the key has.',
      );
    if (key.allowedNetworks && !isInNetworks(origin, key.allowedNetworks))
      throw new NetworkNotAllowed(
        "This API key can't be used",
        origin,
        'Use one of its allowed networks, which are set when the key is created.',
      );
    this.apiKeyUsage.recordUse(key, origin.ipAddress);
    return { caller: callerOf(key), actor: actorOf(key) };
  }

  /** Returns whether a token can be an API key. Saves the query for guessed and mistyped keys. */
  private isApiKey(token: string, hash: Buffer): boolean {
    return (
      parseApiKey(token) !== undefined || (this.platformKeyHash !== undefined && constantTimeEqual(hash, this.platformKeyHash))
    );
  }
}

const actorOf = ({ id, name, last4, tenantId }: KnownKey): Actor => ({
  type: 'api',
  id,
  name,
  // Empty for the key in PLATFORM_API_KEY.
  ...(last4 === '' ? {} : { last4 }),
  ...(tenantId === PLATFORM_TENANT ? { platform: true } : {}),
});

function callerOf(key: KnownKey): Caller {
  const { id, tenantId, organizationId, scopes, suspended, ownerTenantId, ownerId, allowedNetworks, expiresAt } = key;
  if (tenantId === PLATFORM_TENANT) return { kind: 'platform', id, permissions: scopes };
  return {
    kind: 'key',
    id,
    tenantId,
    tenantIds: [tenantId],
    organizationIds: organizationId ? [organizationId] : [],
    permissions: scopes,
    suspended,
    keyLimits: { allowedNetworks, expiresAt },
    ...(ownerTenantId && ownerId ? { owner: { tenantId: ownerTenantId, id: ownerId } } : {}),
  };
}
