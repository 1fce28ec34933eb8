import { Injectable, Logger } from '@nestjs/common';
import {
  assertFutureExpiry,
  newId,
  normalizedNetworks,
  organizationOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
  systemContext,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken, randomToken } from '#platform/crypto';
import { type GainAuthorization, type LossAuthorization, PrivilegesService } from '#directory/privileges';
import { LRUCache } from 'lru-cache';
import { ScimTokenAlreadyRotated, ScimTokenLimit, TOKENS_PER_CONNECTION_MAX } from './scim-connection-errors.js';
import type { ScimConnection } from './scim-connection.entity.js';
import type { CreateScimTokenRequest } from './scim-connection.requests.js';
import { scimTokenData } from './scim-connections.definitions.js';
import { ScimConnectionsService } from './scim-connections.service.js';
import { ScimToken } from './scim-token.entity.js';
import { type KnownScimToken, ScimTokenQuery } from './scim-token.query.js';
import { ScimTokenRepository } from './scim-token.repository.js';

/** Distinguishes SCIM tokens from API keys, session tokens and setup links. */
export const SCIM_TOKEN_PREFIX = 'scim.';

const USE_INTERVAL_MS = 60_000;

/** A token with its secret value, which is returned only once. */
export interface IssuedScimToken {
  readonly token: ScimToken;
  readonly secret: string;
}

/** Manages the tokens of SCIM connections, and finds the token of a request. */
@Injectable()
export class ScimTokensService {
  private readonly logger = new Logger(ScimTokensService.name);
  private readonly recorded = new LRUCache<string, true>({ max: 10_000, ttl: USE_INTERVAL_MS });

  constructor(
    private readonly work: UnitOfWork,
    private readonly connections: ScimConnectionsService,
    private readonly tokens: ScimTokenRepository,
    private readonly tokenQuery: ScimTokenQuery,
    private readonly privileges: PrivilegesService,
  ) {}

  /** @throws ResourceNotFound (404), InvalidCursor (400) */
  async list(ctx: RequestContext, connectionId: string, request: PageRequest): Promise<Page<ScimToken>> {
    return this.tokens.list(ctx, await this.connections.get(ctx, connectionId), request);
  }

  /** @throws GrantBeyondOwn (403), ReauthenticationRequired (401), ResourceNotFound (404), InvalidRequest (400), ScimTokenLimit (409) */
  async create(ctx: RequestContext, connectionId: string, request: CreateScimTokenRequest): Promise<IssuedScimToken> {
    const gain = this.connections.authorizeDelegation(ctx);
    const { expiresAt = null } = request;
    assertFutureExpiry(expiresAt, this.work.now());
    const allowedNetworks = request.allowedNetworks ? normalizedNetworks(request.allowedNetworks, '/allowedNetworks') : null;
    return this.work.run(ctx, async (ctx) => {
      const connection = await this.connections.lock(ctx, connectionId);
      return this.issue(ctx, connection, { name: request.name, expiresAt, allowedNetworks }, null, gain);
    });
  }

  /**
   * Creates a successor with the name, networks and expiry of a token. The existing token expires after `overlapSeconds`.
   * @throws GrantBeyondOwn (403), ReauthenticationRequired (401), ResourceNotFound (404), ScimTokenAlreadyRotated, ScimTokenLimit (409)
   */
  async rotate(ctx: RequestContext, connectionId: string, id: string, overlapSeconds: number): Promise<IssuedScimToken> {
    const gain = this.connections.authorizeDelegation(ctx);
    const loss = this.authorizeRevocation(ctx);
    return this.work.run(ctx, async (ctx) => {
      const connection = await this.connections.lock(ctx, connectionId);
      const previous = await this.get(ctx, connection, id);
      if (await this.tokens.hasSuccessor(ctx, previous)) throw new ScimTokenAlreadyRotated(id);
      const now = this.work.now();
      const endsAt = new Date(now.getTime() + overlapSeconds * 1_000);
      if (overlapSeconds === 0) await this.tokens.revoke(ctx, previous, now, loss);
      else if (!previous.expiresAt || endsAt < previous.expiresAt) await this.tokens.expire(ctx, previous, endsAt, loss);
      const issued = await this.issue(ctx, connection, previous, previous, gain);
      await this.publishRevoked(ctx, connection, previous, 'rotated');
      return issued;
    });
  }

  /** @throws GrantBeyondOwn (403), ResourceNotFound (404) */
  async revoke(ctx: RequestContext, connectionId: string, id: string): Promise<void> {
    const loss = this.authorizeRevocation(ctx);
    await this.work.run(ctx, async (ctx) => {
      const connection = await this.connections.lock(ctx, connectionId);
      const token = await this.get(ctx, connection, id);
      await this.tokens.revoke(ctx, token, this.work.now(), loss);
      await this.publishRevoked(ctx, connection, token, 'revoked');
    });
  }

  /** Returns the token of a request by its hash. */
  findByHash(hash: Buffer): Promise<KnownScimToken | undefined> {
    return this.tokenQuery.findByHash(systemContext(newId('request')), hash);
  }

  /** Records the use of a token, at most once a minute. A request does not fail if its use can't be recorded. */
  async recordUse(token: KnownScimToken): Promise<void> {
    if (this.recorded.has(token.id)) return;
    this.recorded.set(token.id, true);
    try {
      await this.tokenQuery.recordUse(systemContext(newId('request')), token, this.work.now());
    } catch (error) {
      this.recorded.delete(token.id);
      this.logger.warn({ err: error }, 'Could not record the use of a SCIM token.');
    }
  }

  private authorizeRevocation(ctx: RequestContext): LossAuthorization {
    return this.privileges.authorizeRevocation(ctx, organizationOf(ctx), 'A SCIM token', ['*']);
  }

  private async get(ctx: RequestContext, connection: ScimConnection, id: string): Promise<ScimToken> {
    const token = await this.tokens.find(ctx, connection, id);
    if (!token) throw new ResourceNotFound('scim_token', id);
    return token;
  }

  private async issue(
    ctx: RequestContext,
    connection: ScimConnection,
    { name, expiresAt, allowedNetworks }: Pick<ScimToken, 'name' | 'expiresAt' | 'allowedNetworks'>,
    rotatedFrom: ScimToken | null,
    gain: GainAuthorization,
  ): Promise<IssuedScimToken> {
    if ((await this.tokens.count(ctx, connection)) >= TOKENS_PER_CONNECTION_MAX) throw new ScimTokenLimit();
    const secret = SCIM_TOKEN_PREFIX + randomToken();
    const token = Object.assign(new ScimToken(), {
      tenantId: connection.tenantId,
      id: newId('scimToken'),
      connectionId: connection.id,
      name,
      last4: secret.slice(-4),
      allowedNetworks,
      rotatedFromId: rotatedFrom?.id ?? null,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: this.work.now(),
    } satisfies ScimToken);
    await this.tokens.insert(ctx, token, gain);
    await this.tokenQuery.insertHash(ctx, hashToken(secret), token);
    await this.work.publish(ctx, 'scim_token.created', organizationOf(ctx), scimTokenData(token, connection));
    return { token, secret };
  }

  private async publishRevoked(
    ctx: RequestContext,
    connection: ScimConnection,
    token: ScimToken,
    reason: 'rotated' | 'revoked',
  ): Promise<void> {
    const data = { ...scimTokenData(token, connection), reason };
    await this.work.publish(ctx, 'scim_token.revoked', organizationOf(ctx), data);
  }
}
