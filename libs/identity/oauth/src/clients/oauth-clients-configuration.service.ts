import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvalidRequest, normalizedNetwork, type RequestContext } from '#platform/common';
import {
  type ConfigurationHandler,
  ConfigurationHandlers,
  type ConfigurationValues,
  defineConfigurationSection,
  readAll,
  type StoredItem,
} from '#platform/configuration-sections';
import { CLIENTS_PER_ORGANIZATION_MAX } from './oauth-client-errors.js';
import { type OAuthClient, resourceList } from './oauth-client.entity.js';
import { OauthClientConfiguration } from './oauth-client.configuration.js';
import { OAuthClientsService } from './oauth-clients.service.js';

const SECTION = defineConfigurationSection('oauthClients', {
  type: OauthClientConfiguration,
  description: 'OAuth clients of the organization. New clients get new ids; create secrets for them afterwards.',
  maxItems: CLIENTS_PER_ORGANIZATION_MAX,
  key: 'name',
  permissions: { read: 'oauth_clients:read', write: 'oauth_clients:write' },
  rank: 4,
});

/** The OAuth clients of organizations in their configuration. */
@Injectable()
export class OAuthClientsConfigurationService implements ConfigurationHandler<OauthClientConfiguration>, OnModuleInit {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly clients: OAuthClientsService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(SECTION, this);
  }

  async list(ctx: RequestContext): Promise<StoredItem[]> {
    const clients = await readAll((request) => this.clients.list(ctx, request));
    return clients
      .filter(({ registration }) => registration === null)
      .map((client) => ({ id: client.id, values: valuesOf(client) }));
  }

  async normalize(_ctx: RequestContext, values: ConfigurationValues): Promise<ConfigurationValues> {
    const { resources, allowedNetworks } = values as Pick<OauthClientConfiguration, 'resources' | 'allowedNetworks'>;
    return {
      ...values,
      ...(resources ? { resources: sorted(resources) } : {}),
      ...(allowedNetworks ? { allowedNetworks: allowedNetworks.map((text) => normalizedNetwork(text) ?? text) } : {}),
    };
  }

  create(ctx: RequestContext, client: OauthClientConfiguration): Promise<unknown> {
    return this.clients.create(ctx, client);
  }

  async update(ctx: RequestContext, { id }: StoredItem, changes: Partial<OauthClientConfiguration>): Promise<unknown> {
    const { type, ...changed } = changes;
    if (type === undefined) return this.clients.update(ctx, id, changed);
    const message = "type can't be changed. Give the client another name, so that a new client is created.";
    throw new InvalidRequest([{ pointer: '/type', in: 'body', code: 'not_changeable', message }]);
  }

  delete(ctx: RequestContext, { id }: StoredItem): Promise<void> {
    return this.clients.delete(ctx, id);
  }
}

const sorted = <T extends { readonly identifier: string }>(resources: readonly T[]): T[] =>
  resources.toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));

function valuesOf(client: OAuthClient): ConfigurationValues {
  const { name, type, enabled, redirectUris, postLogoutRedirectUris, origins, grantTypes, scopes, authentication } = client;
  const { jwks, jwksUri, idTokenAlgorithm, logoUri, homePageUri, termsUri, privacyUri, visibility, consent } = client;
  return {
    name,
    type,
    enabled,
    redirectUris,
    postLogoutRedirectUris,
    backchannelLogoutUri: client.backchannelLogoutUri,
    backchannelLogoutSessionRequired: client.backchannelLogoutSessionRequired,
    origins,
    grantTypes,
    scopes,
    resources: sorted(resourceList(client.resourceScopes)),
    audiences: client.audiences,
    requirePushedAuthorizationRequests: client.requirePushedAuthorizationRequests,
    dpopBoundAccessTokens: client.dpopBoundAccessTokens,
    authentication,
    jwks,
    jwksUri,
    idTokenAlgorithm,
    logoUri,
    homePageUri,
    termsUri,
    privacyUri,
    visibility,
    consent,
    allowedNetworks: client.allowedNetworks,
    expiresAt: client.expiresAt?.toISOString() ?? null,
  };
}
