import { Injectable } from '@nestjs/common';
import {
  type Changes,
  changesBetween,
  assertUnchanged,
  DomainError,
  newId,
  organizationOf,
  type OrganizationScope,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
  setupLinkOf,
} from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { type IdentityProviderData, UnitOfWork } from '#platform/events';
import { OrganizationRepository } from '../organization.repository.js';
import { IdentityProvider } from './identity-provider.entity.js';
import { IdentityProviderRepository } from './identity-provider.repository.js';
import { clientSecretContext } from './client-secret-context.js';
import { IssuerCheck } from './issuer-check.js';
import { ProviderTrustService } from './provider-trust.service.js';
import { assertSupported, issuerFor, scopesFor } from './provider-types.js';
import type { CreateIdentityProviderRequest, UpdateIdentityProviderRequest } from './identity-provider.requests.js';

export const MAX_PROVIDERS = 20;

export class IdentityProviderLimit extends DomainError {
  readonly code = 'identity_provider_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`An organization can have at most ${MAX_PROVIDERS} identity providers. Delete one that is no longer needed.`);
  }
}

const HIDDEN = '(hidden)';

/** Returns the event data of an identity provider, without the client secret. */
const providerData = (provider: IdentityProvider): IdentityProviderData => ({
  id: provider.id,
  organizationId: provider.organizationId,
  name: provider.name,
  type: provider.type,
  enabled: provider.enabled,
  issuer: provider.configuration.issuer,
  clientId: provider.configuration.clientId,
  scopes: provider.configuration.scopes,
  trustedDomains: provider.trustedDomains,
  mfaTrusted: provider.mfaTrusted,
  allowedClients: provider.configuration.allowedClients ?? [],
  createdAt: provider.createdAt.toISOString(),
  updatedAt: provider.updatedAt.toISOString(),
});

/** Lists and changes the identity providers of an organization. */
@Injectable()
export class IdentityProvidersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly identityProviders: IdentityProviderRepository,
    private readonly organizations: OrganizationRepository,
    private readonly issuerCheck: IssuerCheck,
    private readonly providerTrust: ProviderTrustService,
    private readonly sealer: SecretSealer,
  ) {}

  list(ctx: RequestContext, request: PageRequest): Promise<Page<IdentityProvider>> {
    return this.identityProviders.list(ctx, organizationOf(ctx), request);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<IdentityProvider> {
    const provider = await this.identityProviders.find(ctx, organizationOf(ctx), id);
    if (!provider) throw new ResourceNotFound('identity_provider', id);
    return provider;
  }

  /** Returns the trusted domains of the providers that neither the organization nor an ancestor has verified. */
  async listUnverifiedDomains(ctx: RequestContext, providers: readonly IdentityProvider[]): Promise<ReadonlySet<string>> {
    const names = [...new Set(providers.flatMap(({ trustedDomains }) => trustedDomains))];
    return new Set(await this.providerTrust.listUnverified(ctx, names));
  }

  /**
   * @throws InvalidRequest (400: the issuer, a domain that is not verified, a field that the type does not support), GrantBeyondOwn (403),
   * ReauthenticationRequired (401), IdentityProviderLimit (409)
   */
  async create(ctx: RequestContext, request: CreateIdentityProviderRequest): Promise<IdentityProvider> {
    const { type = 'oidc' } = request;
    await this.issuerCheck.assertReachable(issuerFor(type, request.issuer));
    return this.createReachable(ctx, request);
  }

  /** Same as `create`, after `assertReachable`. */
  async createReachable(ctx: RequestContext, request: CreateIdentityProviderRequest): Promise<IdentityProvider> {
    const { type = 'oidc', mfaTrusted = false, allowedClients = [] } = request;
    const issuer = issuerFor(type, request.issuer);
    assertSupported(type, { hasClientSecret: request.clientSecret !== undefined, mfaTrusted, allowedClients });
    const gain = await this.providerTrust.authorizeCreation(ctx, request);
    return this.change(ctx, async (ctx, organization) => {
      if ((await this.identityProviders.listAll(ctx, organization)).length >= MAX_PROVIDERS) throw new IdentityProviderLimit();
      const now = this.work.now();
      const id = newId('identityProvider');
      const provider = Object.assign(new IdentityProvider(), {
        tenantId: organization.tenantId,
        id,
        organizationId: organization.id,
        name: request.name,
        type,
        enabled: request.enabled ?? true,
        configuration: {
          issuer,
          clientId: request.clientId,
          scopes: scopesFor(type, request.scopes),
          allowedClients,
        },
        clientSecretSealed: request.clientSecret === undefined ? null : this.seal(id, request.clientSecret),
        trustedDomains: request.trustedDomains ?? [],
        exemptDomains: [],
        mfaTrusted,
        setupLinkId: setupLinkOf(ctx),
        testedAt: null,
        createdAt: now,
        updatedAt: now,
      } satisfies Omit<IdentityProvider, 'version'>);
      await this.identityProviders.insert(ctx, provider, gain);
      await this.work.publish(ctx, 'identity_provider.created', organization, providerData(provider));
      return provider;
    });
  }

  /**
   * @throws ResourceNotFound (404), InvalidRequest (400: the issuer, a new domain that is not verified, a field that the type does not
   * support), GrantBeyondOwn (403), ReauthenticationRequired (401), IdentityProviderRequired (409), HigherPrivilegesLinked (403)
   */
  async update(ctx: RequestContext, id: string, request: UpdateIdentityProviderRequest): Promise<IdentityProvider> {
    if (request.issuer !== undefined) await this.issuerCheck.assertReachable(request.issuer);
    return this.updateReachable(ctx, id, request);
  }

  /** Asserts that the provider answers. Never call it in a transaction. @throws InvalidRequest (400) */
  assertReachable(issuer: string): Promise<void> {
    return this.issuerCheck.assertReachable(issuer);
  }

  /** Same as `update`, after `assertReachable`. */
  async updateReachable(ctx: RequestContext, id: string, request: UpdateIdentityProviderRequest): Promise<IdentityProvider> {
    return this.change(ctx, async (ctx, organization) => {
      const provider = await this.identityProviders.lock(ctx, organization, id);
      if (!provider) throw new ResourceNotFound('identity_provider', id);
      assertUnchanged(ctx, provider.version);
      const before = providerData(provider);
      const { issuer, clientId, scopes, allowedClients = [] } = provider.configuration;
      const next = {
        trustedDomains: request.trustedDomains ?? provider.trustedDomains,
        mfaTrusted: request.mfaTrusted ?? provider.mfaTrusted,
        allowedClients: request.allowedClients ?? allowedClients,
        issuer: request.issuer === undefined ? issuer : issuerFor(provider.type, request.issuer),
        clientId: request.clientId ?? clientId,
        enabled: request.enabled ?? provider.enabled,
      };
      const hasClientSecret = (request.clientSecret === undefined ? provider.clientSecretSealed : request.clientSecret) !== null;
      assertSupported(provider.type, { ...next, hasClientSecret });
      const { trustedDomains, mfaTrusted, enabled } = provider;
      const previous = { trustedDomains, mfaTrusted, allowedClients, issuer, clientId, enabled };
      const gain = await this.providerTrust.authorizeTrustChange(ctx, previous, next);
      const nextScopes = scopesFor(provider.type, request.scopes ?? scopes);
      const isRequestChanged = request.clientSecret !== undefined || nextScopes.join(' ') !== scopes.join(' ');
      const loss = await this.providerTrust.authorizeChange(ctx, provider, previous, { ...next, isRequestChanged });
      provider.trustedDomains = next.trustedDomains;
      provider.exemptDomains = provider.exemptDomains.filter((name) => next.trustedDomains.includes(name));
      provider.mfaTrusted = next.mfaTrusted;
      provider.name = request.name ?? provider.name;
      provider.enabled = next.enabled;
      provider.configuration = {
        issuer: next.issuer,
        clientId: next.clientId,
        scopes: nextScopes,
        allowedClients: next.allowedClients,
      };
      if (request.clientSecret !== undefined)
        provider.clientSecretSealed = request.clientSecret && this.seal(id, request.clientSecret);
      if (isRequestChanged || next.issuer !== issuer || next.clientId !== clientId) provider.testedAt = null;
      const secret: Changes = request.clientSecret === undefined ? {} : { clientSecret: { from: HIDDEN, to: HIDDEN } };
      const changes = { ...changesBetween(before, providerData(provider)), ...secret };
      if (Object.keys(changes).length === 0) return provider;
      provider.updatedAt = this.work.now();
      await this.identityProviders.save(ctx, provider, { gain, loss });
      await this.providerTrust.assertSignInRemains(ctx, organization, previous, next);
      await this.work.publish(ctx, 'identity_provider.updated', organization, { ...providerData(provider), changes });
      return provider;
    });
  }

  /** @throws ResourceNotFound (404), HigherPrivilegesLinked (403), IdentityProviderRequired (409) */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.change(ctx, async (ctx, organization) => {
      const provider = await this.identityProviders.lock(ctx, organization, id);
      if (!provider) throw new ResourceNotFound('identity_provider', id);
      assertUnchanged(ctx, provider.version);
      await this.identityProviders.delete(ctx, provider, await this.providerTrust.authorizeDeletion(ctx, provider));
      await this.providerTrust.assertSignInRemains(ctx, organization, provider, null);
      await this.work.publish(ctx, 'identity_provider.deleted', organization, providerData(provider));
    });
  }

  /** Locks the organization and runs a change in one transaction. */
  private async change<T>(
    ctx: RequestContext,
    run: (ctx: RequestContext, organization: OrganizationScope) => Promise<T>,
  ): Promise<T> {
    return this.work.run(ctx, async (ctx) => {
      const scope = organizationOf(ctx);
      const organization = await this.organizations.lock(ctx, scope);
      if (!organization || organization.deletedAt) throw new ResourceNotFound('organization', scope.id);
      await this.providerTrust.lock(ctx, scope);
      return run(ctx, scope);
    });
  }

  private seal(id: string, secret: string): string {
    return this.sealer.seal(secret, clientSecretContext(id));
  }
}
