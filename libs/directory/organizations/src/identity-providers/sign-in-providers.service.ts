import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { clientSecretContext } from './client-secret-context.js';
import { DomainVerification } from './domain-verification.js';
import type { IdentityProvider } from './identity-provider.entity.js';
import { IdentityProviderRepository } from './identity-provider.repository.js';
import type { ProviderType } from './provider-types.js';

/** An identity provider with its client secret, for sign-in. Must not be part of a response. */
export interface SignInProvider {
  readonly id: string;
  readonly tenantId: string;
  /** Id of the organization of the provider. The users of this organization and its descendants sign in with the provider. */
  readonly organizationId: string;
  readonly name: string;
  readonly type: ProviderType;
  readonly version: number;
  /** For GitHub, the address of the server. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
  /** Only the domains that are verified now, or that are exempt from verification. */
  readonly trustedDomains: readonly string[];
  readonly mfaTrusted: boolean;
  /** Whether somebody has signed in since the connection last changed. */
  readonly isTested: boolean;
}

/** An identity provider on a sign-in page. */
export type ProviderChoice = Pick<IdentityProvider, 'id' | 'name' | 'type'>;

/** An identity provider to whose accounts users can be linked, with the organization that has it. */
export interface LinkableProvider extends Pick<SignInProvider, 'id' | 'name' | 'issuer'> {
  readonly organization: Pick<OrganizationScope, 'id' | 'ancestorIds'>;
}

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

/** Finds the enabled identity providers of an organization and its ancestors. */
@Injectable()
export class SignInProvidersService {
  constructor(
    private readonly providers: IdentityProviderRepository,
    private readonly domainVerification: DomainVerification,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** Returns the identity providers, nearest organization first, oldest first in each organization. */
  async listChoices(ctx: RequestContext, organization: OrganizationRef): Promise<ProviderChoice[]> {
    return (await this.listEnabled(ctx, organization)).map(({ id, name, type }) => ({ id, name, type }));
  }

  /**
   * Returns the identity provider with this id or name. If several identity providers have the name, returns the oldest of the nearest
   * organization.
   */
  async find(ctx: RequestContext, organization: OrganizationRef, reference: string): Promise<SignInProvider | null> {
    const nearest = (await this.listEnabled(ctx, organization)).find(({ id, name }) => id === reference || name === reference);
    return nearest ? this.open(ctx, organization, nearest) : null;
  }

  /** Returns an identity provider of the organization itself, including a disabled identity provider. */
  async findOwn(ctx: RequestContext, organization: OrganizationRef, id: string): Promise<SignInProvider | null> {
    const provider = await this.providers.find(ctx, organization, id);
    return provider && this.open(ctx, organization, provider);
  }

  /** Records that a sign-in with the provider worked, once for each version of its connection. */
  async recordSignIn(ctx: RequestContext, provider: SignInProvider): Promise<void> {
    if (!provider.isTested) await this.providers.markTested(ctx, provider, this.clock.now());
  }

  /** Returns the identity providers of an organization and its ancestors, also disabled ones, nearest organization first. */
  async listLinkable(ctx: RequestContext, { id, tenantId, ancestorIds }: OrganizationRef): Promise<LinkableProvider[]> {
    const path = [...ancestorIds, id];
    const providers = await this.providers.listOf(ctx, tenantId, path);
    return providers
      .map((provider) => ({ provider, depth: path.indexOf(provider.organizationId) }))
      .sort((a, b) => b.depth - a.depth)
      .map(({ provider: { id, name, configuration, organizationId }, depth }) => ({
        id,
        name,
        issuer: configuration.issuer,
        organization: { id: organizationId, ancestorIds: path.slice(0, depth) },
      }));
  }

  /** Returns the identity providers with this issuer that allow an OAuth client, nearest organization first. */
  async listAllowing(
    ctx: RequestContext,
    organization: OrganizationRef,
    issuer: string,
    clientId: string,
  ): Promise<SignInProvider[]> {
    const allowing = (await this.listEnabled(ctx, organization)).filter(
      ({ configuration }) => configuration.issuer === issuer && configuration.allowedClients?.includes(clientId),
    );
    return Promise.all(allowing.map((provider) => this.open(ctx, organization, provider)));
  }

  private async listEnabled(ctx: RequestContext, { id, tenantId, ancestorIds }: OrganizationRef): Promise<IdentityProvider[]> {
    const nearestFirst = [id, ...ancestorIds.toReversed()];
    const distance = ({ organizationId }: IdentityProvider): number => nearestFirst.indexOf(organizationId);
    const enabled = await this.providers.listEnabled(ctx, tenantId, nearestFirst);
    return enabled.sort((a, b) => distance(a) - distance(b));
  }

  /** Decrypts the client secret and omits trusted domains that are not verified. `organization` has the provider itself or inherits it. */
  private async open(ctx: RequestContext, organization: OrganizationRef, provider: IdentityProvider): Promise<SignInProvider> {
    const { id, tenantId, organizationId, name, type, version, configuration, clientSecretSealed: sealed } = provider;
    const { issuer, clientId, scopes } = configuration;
    const clientSecret = sealed === null ? null : this.sealer.open(sealed, clientSecretContext(id));
    const { mfaTrusted, testedAt } = provider;
    const trustedDomains = await this.listTrusted(ctx, organization, provider);
    const shared = { id, tenantId, organizationId, name, type, version, issuer, clientId, scopes };
    return { ...shared, clientSecret, trustedDomains, mfaTrusted, isTested: testedAt !== null };
  }

  private async listTrusted(
    ctx: RequestContext,
    { id, tenantId, ancestorIds }: OrganizationRef,
    { organizationId, trustedDomains, exemptDomains }: IdentityProvider,
  ): Promise<string[]> {
    const path = [...ancestorIds, id];
    const owner = { id: organizationId, tenantId, ancestorIds: path.slice(0, path.indexOf(organizationId)) };
    const names = trustedDomains.filter((name) => !exemptDomains.includes(name));
    const unverified = await this.domainVerification.listUnverified(ctx, owner, names);
    return trustedDomains.filter((name) => !unverified.includes(name));
  }
}
