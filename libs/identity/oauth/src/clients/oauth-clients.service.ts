import { Injectable } from '@nestjs/common';
import {
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
import { UnitOfWork } from '#platform/events';
import { ResourceScopesService } from '../resources/resource-scopes.service.js';
import { clientData } from './client-event-data.js';
import { ClientPowerService } from './client-power.service.js';
import { problemsOfClient } from './client-rules.js';
import { newClient, withChanges } from './client-values.js';
import { CLIENTS_PER_ORGANIZATION_MAX, OAuthClientLimit } from './oauth-client-errors.js';
import { hasSecrets, type OAuthClient } from './oauth-client.entity.js';
import { OAuthClientQuery } from './oauth-client.query.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import type { CreateOauthClientRequest, UpdateOauthClientRequest } from './oauth-client.requests.js';
import { OAuthClientSecretsService } from './oauth-client-secrets.service.js';

/** Manages the OAuth clients of the organization in the request, or of the platform if the request has no organization. */
@Injectable()
export class OAuthClientsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clients: OAuthClientRepository,
    private readonly clientQuery: OAuthClientQuery,
    private readonly power: ClientPowerService,
    private readonly secrets: OAuthClientSecretsService,
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
      const issued = hasSecrets(client) ? await this.secrets.issue(ctx, client, null, gain) : null;
      return { client, secret: issued?.secret ?? null };
    });
  }

  /**
   * @throws InvalidRequest (400), GrantBeyondOwn, AllPermissionsRequired (403), ReauthenticationRequired (401), ResourceNotFound (404),
   * PreconditionFailed (412)
   */
  async update(ctx: RequestContext, id: string, request: UpdateOauthClientRequest): Promise<OAuthClient> {
    return this.work.run(ctx, async (ctx) => {
      const client = await this.lock(ctx, id);
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
      const client = await this.lock(ctx, id);
      await this.clients.delete(ctx, client, this.power.authorizeLoss(ctx, client));
      await this.clientQuery.deleteRest(ctx, client, this.work.now());
      await this.publish(ctx, 'oauth_client.deleted', client);
    });
  }

  private async lock(ctx: RequestContext, id: string): Promise<OAuthClient> {
    const client = await this.clients.lock(ctx, this.power.homeOf(ctx), id);
    if (!client) throw new ResourceNotFound('oauth_client', id);
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
}

/** Returns all that a change can change. Not only the fields of events, so that no change is mistaken for none. */
const clientSnapshot = ({ version: _, updatedAt: __, ...client }: OAuthClient): object => structuredClone(client);
