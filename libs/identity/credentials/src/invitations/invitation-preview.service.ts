import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { SsoRequirementService } from '#directory/users';
import type { PasswordLinkPreview } from '../link-preview.js';
import { PasswordPoliciesService } from '../passwords/password-policies.service.js';
import { InvitationTokensService } from './invitation-tokens.service.js';

@Injectable()
export class InvitationPreviewService {
  constructor(
    private readonly invitationTokens: InvitationTokensService,
    private readonly passwordPolicies: PasswordPoliciesService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /**
   * Returns the preview of an invitation. Does not consume the token, because mail scanners also open links.
   * @throws InvitationInvalid (400), SsoRequired (403)
   */
  async preview(ctx: RequestContext, token: string): Promise<PasswordLinkPreview> {
    const { invited, expiresAt } = await this.invitationTokens.getInvited(ctx, token);
    await this.ssoRequirement.assertNotRequired(ctx, invited);
    const { user, managingOrganization: organization } = invited;
    const { email, firstName, lastName } = user;
    const branding = await this.organizationScopes.getBranding(ctx, organization);
    const passwordPolicy = await this.passwordPolicies.get(ctx, organization);
    return { email, firstName, lastName, organization, branding, expiresAt, passwordPolicy };
  }
}
