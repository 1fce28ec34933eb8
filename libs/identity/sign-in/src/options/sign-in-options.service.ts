import { Injectable } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { EffectiveSettingsService, OrganizationScopeQuery, SignInProvidersService } from '#directory/organizations';
import type { SignInOptionsResponse } from './sign-in-options.requests.js';
import { PasswordRulesResponse, SignInPlaceResponse } from './sign-in-place.responses.js';

/** Tells how one signs in to an organization. It looks at no user, so that it can tell nothing of any. */
@Injectable()
export class SignInOptionsService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
    private readonly providers: SignInProvidersService,
    private readonly config: AppConfig,
  ) {}

  /** @throws ResourceNotFound (404) */
  async of(ctx: RequestContext, handle: string): Promise<SignInOptionsResponse> {
    const organization = await this.scopes.findScope(ctx, handle);
    if (!organization) throw new ResourceNotFound('organization', handle);
    const branding = await this.scopes.getBranding(ctx, organization);
    const { values } = await this.settings.of(ctx, organization);
    const { allowPublicSignup, allowedDomains, mfaMethods, passwordPolicy, defaultLocale } = values;
    const open = allowPublicSignup && organization.status === 'active';
    return {
      serviceName: this.config.serviceName,
      organization: SignInPlaceResponse.from(organization, branding),
      locale: defaultLocale,
      methods: mfaMethods.includes('passkey') ? ['password', 'passkey'] : ['password'],
      identityProviders: await this.providers.choices(ctx, organization),
      // Whoever may sign up has to know with which addresses; others learn nothing of them.
      signUp: { open, allowedDomains: open ? allowedDomains : [] },
      passwordPolicy: PasswordRulesResponse.from(passwordPolicy),
    };
  }
}
