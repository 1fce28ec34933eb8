import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type PasswordLinkPreview, PasswordPoliciesService, PasswordsService } from '#identity/credentials';
import { OrganizationScopeQuery } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import { FederatedUsersService, SsoRequirementService, type UserWithOrganization, UserSelfService } from '#directory/users';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { type IsLinkUsable, MailedLinksService } from '../links/mailed-links.service.js';
import { PasswordReplacementService } from './password-replacement.service.js';

/** Sets new passwords with links that work once, within an hour. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly mailedLinks: MailedLinksService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly passwordPolicies: PasswordPoliciesService,
    private readonly passwords: PasswordsService,
    private readonly passwordReplacement: PasswordReplacementService,
    private readonly federatedUsers: FederatedUsersService,
    private readonly userSelf: UserSelfService,
    private readonly signInAttempts: SignInAttemptsService,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /** Previews a link. @throws LinkInvalid (400), SsoRequired (403) */
  async preview(ctx: RequestContext, secret: string): Promise<PasswordLinkPreview> {
    const { token, owner } = await this.mailedLinks.get(ctx, secret, 'password_reset', isResetUsable);
    await this.ssoRequirement.assertNotRequired(ctx, owner);
    const organization = (await this.organizationScopes.findScope(ctx, token.organizationId)) ?? owner.managingOrganization;
    const branding = await this.organizationScopes.getBranding(ctx, organization);
    const passwordPolicy = await this.passwordPolicies.get(ctx, owner.managingOrganization);
    const { email, firstName, lastName } = owner.user;
    return { email, firstName, lastName, organization, branding, expiresAt: token.expiresAt, passwordPolicy };
  }

  /**
   * Sets the password, ends all sessions, and voids all pending links and changes of the account. Verifies the email address; if it was
   * unconfirmed, removes linked identities. Opens no session and keeps second factors.
   * @throws LinkInvalid (400), SsoRequired (403), PasswordRefused (422), HashingOverloaded (503)
   */
  async reset(ctx: RequestContext, { token: secret, password }: { token: string; password: string }): Promise<void> {
    return this.mailedLinks.reportReuse(ctx, secret, 'password_reset', async () => {
      const link = await this.mailedLinks.get(ctx, secret, 'password_reset', isResetUsable);
      await this.ssoRequirement.assertNotRequired(ctx, link.owner);
      const prepared = await this.passwords.prepare(ctx, link.owner, password);
      return this.mailedLinks.use(ctx, link, secret, isResetUsable, async (ctx, { owner }) => {
        if (!owner.user.emailConfirmed) await this.confirmAccount(ctx, owner);
        await this.passwordReplacement.replace(ctx, owner, prepared, { cause: 'reset' });
        // The caller can read the account's emails, so earlier failures no longer lock the account for this IP address.
        await this.signInAttempts.reset(ctx, owner.user);
        this.signInAttempts.trustAddress(ctx, owner.user);
      });
    });
  }

  /**
   * Removes linked identities and marks the address as verified, after the owner has used a link that was sent to the address. The link does
   * not replace a second factor, so factors stay. The address of a user with factors stays unconfirmed, because another person may have
   * added the factors.
   */
  private async confirmAccount(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    await this.federatedUsers.unlinkAll(ctx, owner, unneeded<'sign_in'>('mailed_link'));
    await this.userSelf.verifyEmail(ctx, owner, { confirmed: !owner.user.mfaEnabled });
  }
}

/** Returns whether the user and the organization are active, and the user has the email address that the link was sent to. */
const isResetUsable: IsLinkUsable = ({ token, owner: { user, managingOrganization } }) =>
  user.status === 'active' && user.emailKey === token.boundTo && managingOrganization.status === 'active';
