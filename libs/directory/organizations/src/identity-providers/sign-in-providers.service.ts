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

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

/** The identity providers that people can sign in with: those switched on, of an organization and of those above it. */
@Injectable()
export class SignInProvidersService {
  constructor(
    private readonly providers: IdentityProviderRepository,
    private readonly sealer: SecretSealer,
  ) {}

  /** What people choose from at an organization: the nearest to it first, then the oldest. */
  async listChoices(ctx: RequestContext, place: OrganizationRef): Promise<ProviderChoice[]> {
    return (await this.listEnabled(ctx, place)).map(({ id, name, type }) => ({ id, name, type }));
  }

  /** The provider with this id or name; of several with one name the one nearest to the organization, then the oldest. */
  async find(ctx: RequestContext, place: OrganizationRef, reference: string): Promise<SignInProvider | null> {
    const nearest = (await this.listEnabled(ctx, place)).find(({ id, name }) => id === reference || name === reference);
    return nearest ? this.decrypt(nearest) : null;
  }

  /** One that the organization has itself, switched on or not. */
  async findOwn(ctx: RequestContext, place: OrganizationRef, id: string): Promise<SignInProvider | null> {
    const provider = await this.providers.find(ctx, place, id);
    return provider && this.decrypt(provider);
  }

  private async listEnabled(ctx: RequestContext, { id, tenantId, ancestorIds }: OrganizationRef): Promise<IdentityProvider[]> {
    const nearestFirst = [id, ...ancestorIds.toReversed()];
    const distance = ({ organizationId }: IdentityProvider): number => nearestFirst.indexOf(organizationId);
    const usable = await this.providers.listEnabled(ctx, tenantId, nearestFirst);
    return usable.sort((a, b) => distance(a) - distance(b));
  }

  private decrypt(provider: IdentityProvider): SignInProvider {
    const { id, tenantId, organizationId, name, version, configuration, clientSecretSealed: sealed } = provider;
    const { issuer, clientId, scopes } = configuration;
    const clientSecret = sealed === null ? null : this.sealer.open(sealed, clientSecretContext(id));
    const { trustedDomains, mfaTrusted } = provider;
    return { id, tenantId, organizationId, name, version, issuer, clientId, clientSecret, scopes, trustedDomains, mfaTrusted };
  }
}
