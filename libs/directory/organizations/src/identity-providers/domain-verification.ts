import { Injectable } from '@nestjs/common';
import { DomainError, type FieldProblem, InvalidRequest, type OrganizationScope, type RequestContext } from '#platform/common';
import { lockKey } from '#platform/database';
import { SsoProvidersQuery } from './sso-providers.query.js';

/** An identity provider is trusted for the domain, so it must stay verified: 409. */
export class DomainTrusted extends DomainError {
  readonly code = 'domain_trusted';
  readonly kind = 'conflict';
  constructor(name: string, provider: Readonly<Record<'id' | 'name' | 'organizationId', string>>) {
    super(
      `The identity provider "${provider.name}" (${provider.id}) of the organization ${provider.organizationId} is trusted for the domain "${name}". Remove the domain from its trustedDomains first.`,
    );
  }
}

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

type VerifiedDomainsFinder = (
  ctx: RequestContext,
  tenantId: string,
  organizationIds: readonly string[],
  names: readonly string[],
) => Promise<readonly string[]>;

/** The port through which the domains library registers the lookup of verified domains. The domains library imports this library. */
@Injectable()
export class DomainVerification {
  private finder?: VerifiedDomainsFinder;

  constructor(private readonly ssoProviders: SsoProvidersQuery) {}

  register(finder: VerifiedDomainsFinder): void {
    this.finder = finder;
  }

  /** Returns which of the domains neither the organization nor an ancestor has verified. */
  async listUnverified(
    ctx: RequestContext,
    { id, tenantId, ancestorIds }: OrganizationRef,
    names: readonly string[],
  ): Promise<string[]> {
    if (names.length === 0) return [];
    const verified = new Set(await this.finder?.(ctx, tenantId, [...ancestorIds, id], names));
    return names.filter((name) => !verified.has(name));
  }

  /**
   * Asserts that no identity provider needs the verification of a domain. Locks the identity providers of the tenant.
   * @throws DomainTrusted (409)
   */
  async assertNotTrusted(ctx: RequestContext, organization: OrganizationRef, name: string): Promise<void> {
    await lockKey(ctx, 'sso-providers', organization.tenantId);
    const provider = await this.ssoProviders.findTrusting(ctx, organization, name);
    if (provider) throw new DomainTrusted(name, provider);
  }

  /** Asserts that the organization or an ancestor has verified the trusted domains. @throws InvalidRequest (400) */
  async assertVerified(ctx: RequestContext, organization: OrganizationRef, names: readonly string[]): Promise<void> {
    const problems = (await this.listUnverified(ctx, organization, names)).map((name): FieldProblem => {
      const message = `The domain "${name}" is not verified. Verify it for the organization or an ancestor, then trust the provider for it.`;
      return { pointer: '/trustedDomains', in: 'body', code: 'domain_not_verified', message };
    });
    if (problems.length > 0) throw new InvalidRequest(problems);
  }
}
