import { Injectable } from '@nestjs/common';
import { organizationOf, type OrganizationScope, type RequestContext } from '#platform/common';
import { type LossAuthorization, PrivilegesService, unneeded, type GainAuthorization } from '#directory/privileges';
import { DomainVerification } from './domain-verification.js';
import { SsoProviderRulesService } from './sso-provider-rules.service.js';

/** The fields that decide whom an identity provider can sign in. */
export interface ProviderTrust {
  readonly trustedDomains: readonly string[];
  readonly mfaTrusted: boolean;
  readonly allowedClients: readonly string[];
  readonly issuer: string;
  readonly clientId: string;
  readonly enabled: boolean;
}

/** Decides about changes of the trust in identity providers. */
@Injectable()
export class ProviderTrustService {
  constructor(
    private readonly domainVerification: DomainVerification,
    private readonly ssoProviderRules: SsoProviderRulesService,
    private readonly privileges: PrivilegesService,
  ) {}

  /** Returns the domains that neither the organization nor an ancestor has verified. */
  async listUnverified(ctx: RequestContext, names: readonly string[]): Promise<string[]> {
    return this.domainVerification.listUnverified(ctx, organizationOf(ctx), names);
  }

  /** @throws InvalidRequest (400: a domain that is not verified), GrantBeyondOwn (403), ReauthenticationRequired (401) */
  async authorizeCreation(
    ctx: RequestContext,
    { trustedDomains = [], mfaTrusted = false, allowedClients = [] }: Partial<TrustFields>,
  ): Promise<GainAuthorization> {
    const isTrusted = hasTrust({ trustedDomains, mfaTrusted, allowedClients });
    const gain = isTrusted ? this.authorizeTrust(ctx) : unneeded<'gain'>('trust_unchanged');
    await this.domainVerification.assertVerified(ctx, organizationOf(ctx), trustedDomains);
    return gain;
  }

  /** @throws InvalidRequest (400: a new domain that is not verified), GrantBeyondOwn (403), ReauthenticationRequired (401) */
  async authorizeTrustChange(ctx: RequestContext, previous: ProviderTrust, next: ProviderTrust): Promise<GainAuthorization> {
    const gain = extendsTrust(previous, next) ? this.authorizeTrust(ctx) : unneeded<'gain'>('trust_unchanged');
    const added = next.trustedDomains.filter((name) => !previous.trustedDomains.includes(name));
    await this.domainVerification.assertVerified(ctx, organizationOf(ctx), added);
    return gain;
  }

  /**
   * Linked users could no longer sign in if a provider is disabled, or if it is another service or gets requests with other credentials
   * or scopes.
   * @throws HigherPrivilegesLinked (403)
   */
  async authorizeChange(
    ctx: RequestContext,
    provider: Readonly<Record<'tenantId' | 'id', string>>,
    previous: ProviderTrust,
    next: ProviderTrust & { readonly isRequestChanged: boolean },
  ): Promise<LossAuthorization> {
    const isSame = next.issuer === previous.issuer && next.clientId === previous.clientId && !next.isRequestChanged;
    if (isSame && (next.enabled || !previous.enabled)) return unneeded<'loss'>('provider_still_signs_in');
    return this.privileges.authorizeLossOfLinkedUsers(ctx, provider);
  }

  /** Linked users can no longer sign in with a deleted provider. @throws HigherPrivilegesLinked (403) */
  authorizeDeletion(ctx: RequestContext, provider: Readonly<Record<'tenantId' | 'id', string>>): Promise<LossAuthorization> {
    return this.privileges.authorizeLossOfLinkedUsers(ctx, provider);
  }

  /** Locks the identity providers of the tenant until the transaction ends. */
  async lock(ctx: RequestContext, { tenantId }: Pick<OrganizationScope, 'tenantId'>): Promise<void> {
    await this.ssoProviderRules.lock(ctx, tenantId);
  }

  /**
   * Asserts after a change that `ssoRequired` applies to no organization without an identity provider. `next` is null after a deletion.
   * @throws IdentityProviderRequired (409)
   */
  async assertSignInRemains(
    ctx: RequestContext,
    organization: OrganizationScope,
    previous: Pick<ProviderTrust, 'trustedDomains' | 'enabled'>,
    next: Pick<ProviderTrust, 'trustedDomains' | 'enabled'> | null,
  ): Promise<void> {
    if (signsIn(previous) && !(next && signsIn(next))) await this.ssoProviderRules.assertProvidersRemain(ctx, organization);
  }

  /**
   * A trusted identity provider can sign in all users of the organization without a second factor.
   * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  private authorizeTrust(ctx: RequestContext): GainAuthorization {
    const what = 'An identity provider that is trusted for email domains, multi-factor authentication or OAuth clients';
    return this.privileges.authorizePermissions(ctx, organizationOf(ctx), what, ['*']);
  }
}

type TrustFields = Pick<ProviderTrust, 'trustedDomains' | 'mfaTrusted' | 'allowedClients'>;

const hasTrust = ({ trustedDomains, mfaTrusted, allowedClients }: TrustFields): boolean =>
  trustedDomains.length > 0 || mfaTrusted || allowedClients.length > 0;

/** Returns whether existing users can sign in with the provider for the first time. */
const signsIn = ({ trustedDomains, enabled }: Pick<ProviderTrust, 'trustedDomains' | 'enabled'>): boolean =>
  enabled && trustedDomains.length > 0;

/** Returns whether a change adds trust, or enables or replaces the service of a trusted identity provider. */
function extendsTrust(previous: ProviderTrust, next: ProviderTrust): boolean {
  if (next.trustedDomains.some((domain) => !previous.trustedDomains.includes(domain))) return true;
  if (next.allowedClients.some((client) => !previous.allowedClients.includes(client))) return true;
  if (next.mfaTrusted && !previous.mfaTrusted) return true;
  const isEnabledAgain = next.enabled && !previous.enabled;
  return hasTrust(next) && (next.issuer !== previous.issuer || next.clientId !== previous.clientId || isEnabledAgain);
}
