import { Injectable } from '@nestjs/common';
import { assertDelegable, type RequestContext } from '#platform/common';
import { IdentityProviderRepository } from '../identity-providers/identity-provider.repository.js';
import { SsoProviderRulesService } from '../identity-providers/sso-provider-rules.service.js';
import type { MovePlan } from './move-plan.js';

/** Decides about the identity providers that an organization gains or loses with a move. */
@Injectable()
export class MoveProviderRulesService {
  constructor(
    private readonly identityProviders: IdentityProviderRepository,
    private readonly ssoProviderRules: SsoProviderRulesService,
  ) {}

  /**
   * Asserts that the caller could trust the identity providers of new ancestors, which can sign in all users of the moved organizations, and
   * that `ssoRequired` applies to no moved organization without an identity provider.
   * @throws GrantBeyondOwn (403), SsoProviderMissing (409)
   */
  async assertAllowed(ctx: RequestContext, { organization, joined, ssoRequiredIn }: MovePlan): Promise<void> {
    const { tenantId } = organization;
    const providers = await this.identityProviders.listEnabled(ctx, tenantId, joined);
    const isTrusted = providers.some(
      ({ trustedDomains, mfaTrusted, configuration: { allowedClients = [] } }) =>
        trustedDomains.length > 0 || mfaTrusted || allowedClients.length > 0,
    );
    if (isTrusted) assertDelegable(ctx.caller, organization, 'A trusted identity provider of a new ancestor', ['*']);
    if (ssoRequiredIn.length === 0) return;
    await this.ssoProviderRules.lock(ctx, tenantId);
    await this.ssoProviderRules.assertProviders(ctx, tenantId, ssoRequiredIn);
  }
}
