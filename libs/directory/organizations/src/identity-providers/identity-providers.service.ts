import { Injectable } from '@nestjs/common';
import {
  assertGrantable,
  assertRecentlyAuthenticated,
  type Changes,
  changesBetween,
  Clock,
  demandUnchanged,
  DomainError,
  newId,
  organizationOf,
  type OrganizationScope,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { TransactionRunner } from '#platform/database';
import { DomainEventBus, type IdentityProviderData } from '#platform/events';
import { OrganizationRepository } from '../organization.repository.js';
import { IdentityProvider } from './identity-provider.entity.js';
import { IdentityProviderRepository } from './identity-provider.repository.js';
import { clientSecretContext } from './client-secret-context.js';
import { IssuerCheck } from './issuer-check.js';
import type { CreateIdentityProviderRequest, UpdateIdentityProviderRequest } from './identity-provider.requests.js';

const MAX_PROVIDERS = 20;
const DEFAULT_SCOPES = ['openid', 'email', 'profile'];

export class IdentityProviderLimit extends DomainError {
  readonly code = 'identity_provider_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`An organization can have at most ${MAX_PROVIDERS} identity providers. Delete one that is no longer needed.`);
  }
}

const HIDDEN = '(hidden)';

/** What events say of a provider; never its secret. */
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
  createdAt: provider.createdAt.toISOString(),
  updatedAt: provider.updatedAt.toISOString(),
});

/** Identity providers of an organization. */
@Injectable()
export class IdentityProvidersService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly providers: IdentityProviderRepository,
    private readonly organizations: OrganizationRepository,
    private readonly issuers: IssuerCheck,
    private readonly sealer: SecretSealer,
    private readonly events: DomainEventBus,
    private readonly clock: Clock,
  ) {}

  list(ctx: RequestContext, request: PageRequest): Promise<Page<IdentityProvider>> {
    return this.providers.page(ctx, organizationOf(ctx), request);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<IdentityProvider> {
    const provider = await this.providers.find(ctx, organizationOf(ctx), id);
    if (!provider) throw new ResourceNotFound('identity_provider', id);
    return provider;
  }

  /** @throws InvalidRequest (400: the issuer), GrantBeyondOwn (403), IdentityProviderLimit (409) */
  async create(ctx: RequestContext, request: CreateIdentityProviderRequest): Promise<IdentityProvider> {
    await this.issuers.demandReachable(request.issuer);
    if (request.trustedDomains?.length || request.mfaTrusted) assertCanTrust(ctx, this.clock.now());
    return this.change(ctx, async (ctx, organization) => {
      if ((await this.providers.all(ctx, organization)).length >= MAX_PROVIDERS) throw new IdentityProviderLimit();
      const now = this.clock.now();
      const id = newId('identityProvider');
      const provider = Object.assign(new IdentityProvider(), {
        tenantId: organization.tenantId,
        id,
        organizationId: organization.id,
        name: request.name,
        type: 'oidc',
        enabled: request.enabled ?? true,
        configuration: {
          issuer: request.issuer,
          clientId: request.clientId,
          scopes: withOpenId(request.scopes ?? DEFAULT_SCOPES),
        },
        clientSecretSealed: request.clientSecret === undefined ? null : this.seal(id, request.clientSecret),
        trustedDomains: request.trustedDomains ?? [],
        mfaTrusted: request.mfaTrusted ?? false,
        createdAt: now,
        updatedAt: now,
      } satisfies Omit<IdentityProvider, 'version'>);
      await this.providers.insert(ctx, provider);
      await this.events.publish(ctx, 'identity_provider.created', organization, providerData(provider));
      return provider;
    });
  }

  /** @throws ResourceNotFound (404), InvalidRequest (400: the issuer), GrantBeyondOwn (403) */
  async update(ctx: RequestContext, id: string, request: UpdateIdentityProviderRequest): Promise<IdentityProvider> {
    if (request.issuer !== undefined) await this.issuers.demandReachable(request.issuer);
    return this.change(ctx, async (ctx, organization) => {
      const provider = await this.providers.lock(ctx, organization, id);
      if (!provider) throw new ResourceNotFound('identity_provider', id);
      demandUnchanged(ctx, provider.version);
      const before = providerData(provider);
      const { issuer, clientId, scopes } = provider.configuration;
      const next = {
        trustedDomains: request.trustedDomains ?? provider.trustedDomains,
        mfaTrusted: request.mfaTrusted ?? provider.mfaTrusted,
        issuer: request.issuer ?? issuer,
        clientId: request.clientId ?? clientId,
        enabled: request.enabled ?? provider.enabled,
      };
      const { trustedDomains, mfaTrusted, enabled } = provider;
      if (extendsTrust({ trustedDomains, mfaTrusted, issuer, clientId, enabled }, next)) assertCanTrust(ctx, this.clock.now());
      provider.trustedDomains = next.trustedDomains;
      provider.mfaTrusted = next.mfaTrusted;
      provider.name = request.name ?? provider.name;
      provider.enabled = next.enabled;
      provider.configuration = {
        issuer: request.issuer ?? issuer,
        clientId: request.clientId ?? clientId,
        scopes: withOpenId(request.scopes ?? scopes),
      };
      if (request.clientSecret !== undefined)
        provider.clientSecretSealed = request.clientSecret && this.seal(id, request.clientSecret);
      provider.updatedAt = this.clock.now();
      await this.providers.save(ctx, provider);
      const secret: Changes = request.clientSecret === undefined ? {} : { clientSecret: { from: HIDDEN, to: HIDDEN } };
      const changes = { ...changesBetween(before, providerData(provider)), ...secret };
      if (Object.keys(changes).length > 0)
        await this.events.publish(ctx, 'identity_provider.updated', organization, { ...providerData(provider), changes });
      return provider;
    });
  }

  /** @throws ResourceNotFound (404) */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.change(ctx, async (ctx, organization) => {
      const provider = await this.providers.lock(ctx, organization, id);
      if (!provider) throw new ResourceNotFound('identity_provider', id);
      demandUnchanged(ctx, provider.version);
      await this.providers.remove(ctx, provider);
      await this.events.publish(ctx, 'identity_provider.deleted', organization, providerData(provider));
    });
  }

  /** One transaction, in which the organization stays. */
  private async change<T>(
    ctx: RequestContext,
    work: (ctx: RequestContext, organization: OrganizationScope) => Promise<T>,
  ): Promise<T> {
    return this.transactions.run(ctx, async (ctx) => {
      const scope = organizationOf(ctx);
      const organization = await this.organizations.lock(ctx, scope);
      if (!organization || organization.deletedAt) throw new ResourceNotFound('organization', scope.id);
      return work(ctx, scope);
    });
  }

  private seal(id: string, secret: string): string {
    return this.sealer.seal(secret, clientSecretContext(id));
  }
}

/**
 * A trusted provider can sign in any user that the organization manages, and can stand in for their second factor.
 * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
 */
function assertCanTrust(ctx: RequestContext, now: Date): void {
  const what = 'An identity provider that is trusted for email domains or multi-factor authentication';
  assertGrantable(ctx.caller, organizationOf(ctx), what, ['*']);
  assertRecentlyAuthenticated(ctx, now);
}

interface Trust {
  readonly trustedDomains: readonly string[];
  readonly mfaTrusted: boolean;
  readonly issuer: string;
  readonly clientId: string;
  readonly enabled: boolean;
}

/** Whether a change trusts a provider for more than before, trusts another provider, or lets one that is trusted sign users in again. */
function extendsTrust(previous: Trust, next: Trust): boolean {
  if (next.trustedDomains.some((domain) => !previous.trustedDomains.includes(domain))) return true;
  if (next.mfaTrusted && !previous.mfaTrusted) return true;
  const isTrusted = next.trustedDomains.length > 0 || next.mfaTrusted;
  const isEnabledAgain = next.enabled && !previous.enabled;
  return isTrusted && (next.issuer !== previous.issuer || next.clientId !== previous.clientId || isEnabledAgain);
}

const withOpenId = (scopes: readonly string[]): string[] => (scopes.includes('openid') ? [...scopes] : ['openid', ...scopes]);
