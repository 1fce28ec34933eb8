import { Injectable } from '@nestjs/common';
import { assertFutureExpiry, newId, type Page, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import type { GainAuthorization } from '#directory/privileges';
import { secretData } from './client-event-data.js';
import { ClientPowerService } from './client-power.service.js';
import { OAuthClientHasNoSecrets, OAuthClientSecretLimit, SECRETS_PER_CLIENT_MAX } from './oauth-client-errors.js';
import { hasSecrets, type OAuthClient } from './oauth-client.entity.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import type { CreateOauthClientSecretRequest } from './oauth-client.requests.js';
import { OAuthClientSecret } from './oauth-client-secret.entity.js';
import { OAuthClientSecretRepository } from './oauth-client-secret.repository.js';

const SECRET_PREFIX = 'apps_';

/** A secret with its value, which is returned only once. */
export interface IssuedClientSecret {
  readonly stored: OAuthClientSecret;
  readonly secret: string;
}

/** Manages the secrets of OAuth clients. Several secrets can be valid at once, so that a rotation interrupts nothing. */
@Injectable()
export class OAuthClientSecretsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clients: OAuthClientRepository,
    private readonly secrets: OAuthClientSecretRepository,
    private readonly power: ClientPowerService,
  ) {}

  /** @throws ResourceNotFound (404), InvalidCursor (400) */
  async list(ctx: RequestContext, clientId: string, request: PageRequest): Promise<Page<OAuthClientSecret>> {
    const client = await this.clients.find(ctx, this.power.homeOf(ctx), clientId);
    if (!client) throw new ResourceNotFound('oauth_client', clientId);
    return this.secrets.list(ctx, client, request);
  }

  /**
   * Creates a secret. With `previousExpireInSeconds`, all other secrets of the client expire then.
   * @throws InvalidRequest (400), GrantBeyondOwn (403), ReauthenticationRequired (401), ResourceNotFound (404), OAuthClientHasNoSecrets,
   * OAuthClientSecretLimit (409)
   */
  async create(ctx: RequestContext, clientId: string, request: CreateOauthClientSecretRequest): Promise<IssuedClientSecret> {
    const { expiresAt = null, previousExpireInSeconds } = request;
    const now = this.work.now();
    assertFutureExpiry(expiresAt, now);
    return this.work.run(ctx, async (ctx) => {
      const client = await this.lockClient(ctx, clientId);
      const gain = this.power.authorizeGain(ctx, client);
      if (!hasSecrets(client)) throw new OAuthClientHasNoSecrets(clientId);
      if (previousExpireInSeconds !== undefined) {
        const endsAt = new Date(now.getTime() + previousExpireInSeconds * 1_000);
        await this.secrets.expireAll(ctx, client, endsAt, this.power.authorizeLoss(ctx, client));
      }
      const issued = await this.issue(ctx, client, expiresAt, gain);
      await this.publish(ctx, 'oauth_client.secret_created', issued.stored);
      return issued;
    });
  }

  /** @throws GrantBeyondOwn (403), ResourceNotFound (404) */
  async delete(ctx: RequestContext, clientId: string, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const client = await this.lockClient(ctx, clientId);
      const stored = await this.secrets.find(ctx, client, id);
      if (!stored) throw new ResourceNotFound('oauth_client_secret', id);
      await this.secrets.delete(ctx, stored, this.power.authorizeLoss(ctx, client));
      await this.publish(ctx, 'oauth_client.secret_deleted', stored);
    });
  }

  /** Creates a secret, in the transaction that creates or locked the client. The caller publishes the event. @throws OAuthClientSecretLimit (409) */
  async issue(
    ctx: RequestContext,
    client: OAuthClient,
    expiresAt: Date | null,
    gain: GainAuthorization,
  ): Promise<IssuedClientSecret> {
    if ((await this.secrets.count(ctx, client)) >= SECRETS_PER_CLIENT_MAX) throw new OAuthClientSecretLimit();
    const secret = SECRET_PREFIX + randomToken();
    const stored = Object.assign(new OAuthClientSecret(), {
      tenantId: client.tenantId,
      id: newId('oauthClientSecret'),
      clientId: client.id,
      hash: hashToken(secret),
      last4: secret.slice(-4),
      expiresAt,
      lastUsedAt: null,
      createdAt: this.work.now(),
    } satisfies OAuthClientSecret);
    await this.secrets.insert(ctx, stored, gain);
    return { stored, secret };
  }

  private async lockClient(ctx: RequestContext, clientId: string): Promise<OAuthClient> {
    const client = await this.clients.lock(ctx, this.power.homeOf(ctx), clientId);
    if (!client) throw new ResourceNotFound('oauth_client', clientId);
    return client;
  }

  private async publish(
    ctx: RequestContext,
    type: 'oauth_client.secret_created' | 'oauth_client.secret_deleted',
    stored: OAuthClientSecret,
  ): Promise<void> {
    if (ctx.organization) await this.work.publish(ctx, type, ctx.organization, secretData(stored, ctx.organization.id));
  }
}
