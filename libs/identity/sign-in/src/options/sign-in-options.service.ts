import { Injectable } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { EffectiveSettingsService, OrganizationScopeQuery, SignInProvidersService } from '#directory/organizations';
import { DomainsService } from '#directory/domains';
import type { DiscoveredSignInResponse, SignInOptionsResponse } from './sign-in-options.requests.js';
import { PasswordRulesResponse, SignInPlaceResponse } from './sign-in-place.responses.js';

/** Returns the sign-in options of an organization. Reads no users, so that the response reveals nothing about users. */
@Injectable()
export class SignInOptionsService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly signInProviders: SignInProvidersService,
    private readonly domains: DomainsService,
    private readonly config: AppConfig,
  ) {}

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, handle: string): Promise<SignInOptionsResponse> {
    const organization = await this.organizationScopes.findScope(ctx, handle);
    if (!organization) throw new ResourceNotFound('organization', handle);
    const branding = await this.organizationScopes.getBranding(ctx, organization);
    const { values } = await this.effectiveSettings.get(ctx, organization);
    const { allowPublicSignup, allowedDomains, mfaMethods, ssoRequired, passwordPolicy, defaultLocale } = values;
    const isOpen = allowPublicSignup && !ssoRequired && organization.status === 'active';
    return {
      serviceName: this.config.serviceName,
      organization: SignInPlaceResponse.from(organization, branding),
      locale: defaultLocale,
      methods: mfaMethods.includes('passkey') ? ['password', 'passkey'] : ['password'],
      ssoRequired,
      identityProviders: await this.signInProviders.listChoices(ctx, organization),
      // The allowed domains are public only in organizations with open sign-up.
      signUp: { open: isOpen, allowedDomains: isOpen ? allowedDomains : [] },
      passwordPolicy: PasswordRulesResponse.from(passwordPolicy),
    };
  }

  /** Returns the organization that has verified the domain of an email address. */
  async discover(ctx: RequestContext, email: string): Promise<DiscoveredSignInResponse> {
    const organization = await this.domains.findOwnerOf(ctx, email);
    if (!organization) return { organization: null, identityProvider: null };
    const branding = await this.organizationScopes.getBranding(ctx, organization);
    const [identityProvider = null] = await this.signInProviders.listChoices(ctx, organization);
    return { organization: SignInPlaceResponse.from(organization, branding), identityProvider };
  }
}
