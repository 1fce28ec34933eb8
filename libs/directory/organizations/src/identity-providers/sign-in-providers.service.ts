import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { clientSecretContext } from './client-secret-context.js';
import type { IdentityProvider } from './identity-provider.entity.js';
import { IdentityProviderRepository } from './identity-provider.repository.js';

/** An identity provider as sign-in needs it, with its secret. Never show it. */
export interface SignInProvider {
  readonly id: string;
  readonly tenantId: string;
  /** The provider speaks for people whom this organization, or one below it, manages. */
  readonly organizationId: string;
  readonly name: string;
  readonly version: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
  readonly trustedDomains: readonly string[];
  readonly mfaTrusted: boolean;
}

/** A provider as people see it before they sign in. */
export type ProviderChoice = Pick<IdentityProvider, 'id' | 'name' | 'type'>;

type Place = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

/** The identity providers that people can sign in with: those switched on, of an organization and of those above it. */
@Injectable()
export class SignInProvidersService {
  constructor(
    private readonly providers: IdentityProviderRepository,
    private readonly sealer: SecretSealer,
  ) {}

  /** What people choose from at an organization: the nearest to it first, then the oldest. */
  async choices(ctx: RequestContext, place: Place): Promise<ProviderChoice[]> {
    return (await this.usable(ctx, place)).map(({ id, name, type }) => ({ id, name, type }));
  }

  /** The provider with this id or name; of several with one name the one nearest to the organization, then the oldest. */
  async find(ctx: RequestContext, place: Place, reference: string): Promise<SignInProvider | null> {
    const nearest = (await this.usable(ctx, place)).find(({ id, name }) => id === reference || name === reference);
    return nearest ? this.opened(nearest) : null;
  }

  /** One that the organization has itself, switched on or not. */
  async ownOf(ctx: RequestContext, place: Place, id: string): Promise<SignInProvider | null> {
    const provider = await this.providers.find(ctx, place, id);
    return provider && this.opened(provider);
  }

  private async usable(ctx: RequestContext, { id, tenantId, ancestorIds }: Place): Promise<IdentityProvider[]> {
    const nearestFirst = [id, ...ancestorIds.toReversed()];
    const distance = ({ organizationId }: IdentityProvider): number => nearestFirst.indexOf(organizationId);
    const usable = await this.providers.enabled(ctx, tenantId, nearestFirst);
    return usable.sort((a, b) => distance(a) - distance(b));
  }

  private opened(provider: IdentityProvider): SignInProvider {
    const { id, tenantId, organizationId, name, version, configuration, clientSecretSealed: sealed } = provider;
    const { issuer, clientId, scopes } = configuration;
    const clientSecret = sealed === null ? null : this.sealer.open(sealed, clientSecretContext(id));
    const { trustedDomains, mfaTrusted } = provider;
    return { id, tenantId, organizationId, name, version, issuer, clientId, clientSecret, scopes, trustedDomains, mfaTrusted };
  }
}
