import { Injectable } from '@nestjs/common';
import {
  assertFutureExpiry,
  assertUnchanged,
  changesBetween,
  InvalidRequest,
  newId,
  normalizedNetworks,
  ownerFor,
  problemsOfExpiry,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import { type GainAuthorization, unneeded } from '#directory/privileges';
import { ResourceScopesService } from '../resources/resource-scopes.service.js';
import { clientData, secretData } from './client-event-data.js';
import { ClientPowerService } from './client-power.service.js';
import { problemsOfClient } from './client-rules.js';
import { newClient, withChanges } from './client-values.js';
import { COMMAND_LINE_CLIENT_ID, COMMAND_LINE_HOME, commandLineClient } from './command-line-client.js';
import {
  CLIENTS_PER_ORGANIZATION_MAX,
  OAuthClientHasNoSecrets,
  OAuthClientLimit,
  OAuthClientSecretLimit,
  SECRETS_PER_CLIENT_MAX,
} from './oauth-client-errors.js';
import { hasSecrets, type OAuthClient } from './oauth-client.entity.js';
import { OAuthClientQuery } from './oauth-client.query.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import type {
  CreateOauthClientRequest,
  CreateOauthClientSecretRequest,
  UpdateOauthClientRequest,
} from './oauth-client.requests.js';
import { OAuthClientSecret } from './oauth-client-secret.entity.js';
import { OAuthClientSecretRepository } from './oauth-client-secret.repository.js';

const SECRET_PREFIX = 'apps_';

/** A secret with its value, which is returned only once. */
interface IssuedClientSecret {
  readonly stored: OAuthClientSecret;
  readonly secret: string;
}

/**
 * Manages the OAuth clients of the organization in the request, or of the platform if the request has no organization. A client can have
 * several valid secrets at once, so that a rotation interrupts nothing.
 */
@Injectable()
export class OAuthClientsService {
  private hasCommandLineClient = false;

  constructor(
    private readonly work: UnitOfWork,
    private readonly clients: OAuthClientRepository,
    private readonly clientQuery: OAuthClientQuery,
    private readonly power: ClientPowerService,
    private readonly secrets: OAuthClientSecretRepository,
    private readonly resourceScopes: ResourceScopesService,
  ) {}

  /** @throws InvalidCursor (400) */
  list(ctx: RequestContext, request: PageRequest): Promise<Page<OAuthClient>> {
    return this.clients.list(ctx, this.power.homeOf(ctx), request);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<OAuthClient> {
    const client = await this.clients.find(ctx, this.power.homeOf(ctx), id);
    if (!client) throw new ResourceNotFound('oauth_client', id);
    return client;
  }

  /**
   * Creates a client and, if it authenticates with a secret, its first secret.
   * @throws InvalidRequest (400), GrantBeyondOwn, AllPermissionsRequired (403), ReauthenticationRequired (401), OAuthClientLimit (409)
   */
  async create(ctx: RequestContext, request: CreateOauthClientRequest): Promise<{ client: OAuthClient; secret: string | null }> {
    const home = this.power.homeOf(ctx);
    const client = Object.assign(newClient(request, this.work.now()), home, {
      id: newId('oauthClient'),
      createdByType: ctx.caller.kind,
      createdById: ctx.caller.id ?? null,
      ...ownerFor(ctx.caller),
    });
    await this.validate(ctx, client);
    const gain = this.power.authorizeGain(ctx, client);
    return this.work.run(ctx, async (ctx) => {
      if ((await this.clients.countLocked(ctx, home)) >= CLIENTS_PER_ORGANIZATION_MAX) throw new OAuthClientLimit();
      await this.clients.insert(ctx, client, gain);
      await this.clientQuery.insertHash(ctx, client);
      await this.publish(ctx, 'oauth_client.created', client);
      const issued = hasSecrets(client) ? await this.issueSecret(ctx, client, null, gain) : null;
      return { client, secret: issued?.secret ?? null };
    });
  }

  /**
   * @throws InvalidRequest (400), GrantBeyondOwn, AllPermissionsRequired (403), ReauthenticationRequired (401), ResourceNotFound (404),
   * PreconditionFailed (412)
   */
  async update(ctx: RequestContext, id: string, request: UpdateOauthClientRequest): Promise<OAuthClient> {
    return this.work.run(ctx, async (ctx) => {
      const client = await this.lockUnchanged(ctx, id);
      const before = clientSnapshot(client);
      // Whoever takes scopes away needs them, as whoever adds scopes.
      this.power.authorizeGain(ctx, client);
      withChanges(client, request);
      const changes = changesBetween(before, clientSnapshot(client));
      if (Object.keys(changes).length === 0) return client;
      await this.validate(ctx, client);
      const gain = this.power.authorizeGain(ctx, client);
      client.updatedAt = this.work.now();
      await this.clients.update(ctx, client, gain);
      if (ctx.organization) {
        const data = { ...clientData(client, ctx.organization.id), changes };
        await this.work.publish(ctx, 'oauth_client.updated', ctx.organization, data);
      }
      return client;
    });
  }

  /** @throws GrantBeyondOwn (403), ResourceNotFound (404), PreconditionFailed (412) */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const client = await this.lockUnchanged(ctx, id);
      await this.clients.delete(ctx, client, this.power.authorizeLoss(ctx, client));
      await this.clientQuery.deleteRest(ctx, client, this.work.now());
      await this.publish(ctx, 'oauth_client.deleted', client);
    });
  }

  /** @throws ResourceNotFound (404), InvalidCursor (400) */
  async listSecrets(ctx: RequestContext, clientId: string, request: PageRequest): Promise<Page<OAuthClientSecret>> {
    const client = await this.get(ctx, clientId);
    return this.secrets.list(ctx, client, request);
  }

  /**
   * Creates a secret. With `previousExpireInSeconds`, all other secrets of the client expire then.
   * @throws InvalidRequest (400), GrantBeyondOwn (403), ReauthenticationRequired (401), ResourceNotFound (404), OAuthClientHasNoSecrets,
   * OAuthClientSecretLimit (409)
   */
  async createSecret(
    ctx: RequestContext,
    clientId: string,
    request: CreateOauthClientSecretRequest,
  ): Promise<IssuedClientSecret> {
    const { expiresAt = null, previousExpireInSeconds } = request;
    const now = this.work.now();
    assertFutureExpiry(expiresAt, now);
    return this.work.run(ctx, async (ctx) => {
      const client = await this.lock(ctx, clientId);
      const gain = this.power.authorizeGain(ctx, client);
      if (!hasSecrets(client)) throw new OAuthClientHasNoSecrets(clientId);
      if (previousExpireInSeconds !== undefined) {
        const endsAt = new Date(now.getTime() + previousExpireInSeconds * 1_000);
        await this.secrets.expireAll(ctx, client, endsAt, this.power.authorizeLoss(ctx, client));
      }
      const issued = await this.issueSecret(ctx, client, expiresAt, gain);
      await this.publishSecret(ctx, 'oauth_client.secret_created', issued.stored);
      return issued;
    });
  }

  /** @throws GrantBeyondOwn (403), ResourceNotFound (404) */
  async deleteSecret(ctx: RequestContext, clientId: string, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const client = await this.lock(ctx, clientId);
      const stored = await this.secrets.find(ctx, client, id);
      if (!stored) throw new ResourceNotFound('oauth_client_secret', id);
      await this.secrets.delete(ctx, stored, this.power.authorizeLoss(ctx, client));
      await this.publishSecret(ctx, 'oauth_client.secret_deleted', stored);
    });
  }

  /** Creates the client of the command-line program unless the installation has it, also disabled. Asks the database once for each process. */
  async ensureCommandLineClient(ctx: RequestContext): Promise<void> {
    if (this.hasCommandLineClient) return;
    await this.work.run(ctx, async (ctx) => {
      // Locks the platform's clients, so that two processes don't create the client at once.
      await this.clients.countLocked(ctx, COMMAND_LINE_HOME);
      if (await this.clients.find(ctx, COMMAND_LINE_HOME, COMMAND_LINE_CLIENT_ID)) return;
      const client = commandLineClient(this.power.ownApi, this.work.now());
      await this.clients.insert(ctx, client, unneeded<'gain'>('platform_client'));
      await this.clientQuery.insertHash(ctx, client);
    });
    this.hasCommandLineClient = true;
  }

  private async lock(ctx: RequestContext, id: string): Promise<OAuthClient> {
    const client = await this.clients.lock(ctx, this.power.homeOf(ctx), id);
    if (!client) throw new ResourceNotFound('oauth_client', id);
    return client;
  }

  /** Locks a client to change it. @throws PreconditionFailed (412) */
  private async lockUnchanged(ctx: RequestContext, id: string): Promise<OAuthClient> {
    const client = await this.lock(ctx, id);
    assertUnchanged(ctx, client.version);
    return client;
  }

  /** Normalizes the networks. @throws InvalidRequest (400) */
  private async validate(ctx: RequestContext, client: OAuthClient): Promise<void> {
    if (client.allowedNetworks) client.allowedNetworks = normalizedNetworks(client.allowedNetworks, '/allowedNetworks');
    const problems = [
      ...problemsOfClient(client),
      ...(await this.resourceScopes.findProblems(ctx, client)),
      ...problemsOfExpiry(client.expiresAt, this.work.now()),
    ];
    if (problems.length > 0) throw new InvalidRequest(problems);
  }

  /** Clients of the platform belong to no organization, and so have no event log. */
  private async publish(
    ctx: RequestContext,
    type: 'oauth_client.created' | 'oauth_client.deleted',
    client: OAuthClient,
  ): Promise<void> {
    if (ctx.organization) await this.work.publish(ctx, type, ctx.organization, clientData(client, ctx.organization.id));
  }

  /** Creates a secret, in the transaction that creates or locked the client. The caller publishes the event. @throws OAuthClientSecretLimit (409) */
  private async issueSecret(
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

  private async publishSecret(
    ctx: RequestContext,
    type: 'oauth_client.secret_created' | 'oauth_client.secret_deleted',
    stored: OAuthClientSecret,
  ): Promise<void> {
    if (ctx.organization) await this.work.publish(ctx, type, ctx.organization, secretData(stored, ctx.organization.id));
  }
}

/** Returns all that a change can change. Not only the fields of events, so that no change is mistaken for none. */
const clientSnapshot = ({ version: _, updatedAt: __, ...client }: OAuthClient): object => structuredClone(client);
