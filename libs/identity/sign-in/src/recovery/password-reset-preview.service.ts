import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type PasswordLinkPreview, PasswordPoliciesService } from '#identity/credentials';
import { OrganizationScopeQuery } from '#directory/organizations';
import { SsoRequirementService } from '#directory/users';
import { MailedLinksService } from '../links/mailed-links.service.js';
import { isResetUsable } from './password-reset-link.js';

@Injectable()
export class PasswordResetPreviewService {
  constructor(
    private readonly mailedLinks: MailedLinksService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly passwordPolicies: PasswordPoliciesService,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /** @throws LinkInvalid (400), SsoRequired (403) */
  async preview(ctx: RequestContext, secret: string): Promise<PasswordLinkPreview> {
    const { token, owner } = await this.mailedLinks.get(ctx, secret, 'password_reset', isResetUsable);
    await this.ssoRequirement.assertNotRequired(ctx, owner);
    const organization = (await this.organizationScopes.findScope(ctx, token.organizationId)) ?? owner.managingOrganization;
    const branding = await this.organizationScopes.getBranding(ctx, organization);
    const passwordPolicy = await this.passwordPolicies.get(ctx, owner.managingOrganization);
    const { email, firstName, lastName } = owner.user;
    return { email, firstName, lastName, organization, branding, expiresAt: token.expiresAt, passwordPolicy };
  }
}
