import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvalidRequest, organizationOf, type RequestContext } from '#platform/common';
import {
  assertResolved,
  type ConfigurationHandler,
  ConfigurationHandlers,
  defineConfigurationSection,
  environmentReference,
  readAll,
  type StoredItem,
} from '#platform/configuration-sections';
import { IdentityProviderConfiguration } from '../identity-providers/identity-provider.requests.js';
import { IdentityProvidersService, MAX_PROVIDERS } from '../identity-providers/identity-providers.service.js';

const SECTION = defineConfigurationSection('identityProviders', {
  type: IdentityProviderConfiguration,
  description: 'Identity providers of the organization.',
  maxItems: MAX_PROVIDERS,
  key: 'name',
  onlyAtCreation: ['clientSecret'],
  permissions: { read: 'organizations:read', write: 'organizations:write' },
  rank: 1,
});

/** The identity providers of organizations in their configuration. */
@Injectable()
export class IdentityProvidersConfigurationService implements ConfigurationHandler<IdentityProviderConfiguration>, OnModuleInit {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly providers: IdentityProvidersService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(SECTION, this);
  }

  async list(ctx: RequestContext): Promise<StoredItem[]> {
    const { slug } = organizationOf(ctx);
    const providers = await readAll((request) => this.providers.list(ctx, request));
    return providers.map(({ id, name, type, configuration, clientSecretSealed, trustedDomains, mfaTrusted, enabled }) => {
      const { issuer, clientId, scopes } = configuration;
      const secret = clientSecretSealed === null ? {} : { clientSecret: environmentReference(slug, name, 'client secret') };
      return { id, values: { name, type, issuer, clientId, ...secret, scopes, trustedDomains, mfaTrusted, enabled } };
    });
  }

  async check(
    _ctx: RequestContext,
    { issuer }: IdentityProviderConfiguration,
    changes: Partial<IdentityProviderConfiguration> | undefined,
  ): Promise<void> {
    if (!changes || changes.issuer !== undefined) await this.providers.assertReachable(issuer);
  }

  async create(ctx: RequestContext, provider: IdentityProviderConfiguration): Promise<unknown> {
    assertResolved('/clientSecret', provider.clientSecret);
    return this.providers.createReachable(ctx, provider);
  }

  async update(ctx: RequestContext, { id }: StoredItem, changes: Partial<IdentityProviderConfiguration>): Promise<unknown> {
    const { type, ...changed } = changes;
    if (type === undefined) return this.providers.updateReachable(ctx, id, changed);
    const message = "type can't be changed. Give the identity provider another name, so that a new one is created.";
    throw new InvalidRequest([{ pointer: '/type', in: 'body', code: 'not_changeable', message }]);
  }

  delete(ctx: RequestContext, { id }: StoredItem): Promise<void> {
    return this.providers.delete(ctx, id);
  }
}
