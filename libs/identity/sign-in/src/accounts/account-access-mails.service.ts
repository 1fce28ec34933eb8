import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SignInProvidersService } from '#directory/organizations';
import { OneTimeTokenService } from '#directory/sessions';
import { SsoRequirementService, UnconfirmedAccessService, type UserWithOrganization, UserSelfService } from '#directory/users';
import { AccountMailsService } from '../links/account-mails.service.js';

/**
 * Sends an email for each state of an account in which the owner can't sign in with a password, so that every request for a link leads to
 * the next step. Password resets and sign-ups use the same emails.
 */
@Injectable()
export class AccountAccessMailsService {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly signInProviders: SignInProvidersService,
    private readonly unconfirmedAccess: UnconfirmedAccessService,
    private readonly userSelf: UserSelfService,
    private readonly accountMails: AccountMailsService,
  ) {}

  /**
   * Emails the owner of a locked account that can't have a password now: the invitation again, or what to do instead. Returns false and
   * sends nothing for an active user who can have a password.
   */
  async send(ctx: RequestContext, owner: UserWithOrganization): Promise<boolean> {
    if (owner.user.status === 'suspended') await this.accountMails.sendAccountAccess(ctx, owner, { kind: 'suspended' });
    else if ((await this.ssoRequirement.get(ctx, owner)) === 'required') await this.sendProviders(ctx, owner);
    else if (owner.user.status === 'pending') await this.inviteAgain(ctx, owner);
    else return false;
    return true;
  }

  /** Tells the user with an address whose account belongs to another organization of the tenant where to sign in. */
  async sendOtherOrganization(ctx: RequestContext, { tenantId }: OrganizationScope, email: string): Promise<void> {
    const owner = await this.userSelf.withOrganization(ctx, await this.userSelf.findByEmail(ctx, tenantId, email));
    if (owner?.managingOrganization.status !== 'active') return;
    const link = this.accountMails.signInPage(owner.managingOrganization);
    await this.accountMails.sendAccountAccess(ctx, owner, { kind: 'other_organization', link });
  }

  private async sendProviders(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    const { managingOrganization } = owner;
    const providers = (await this.signInProviders.listChoices(ctx, managingOrganization)).map(({ name }) => name);
    const link = this.accountMails.signInPage(managingOrganization);
    await this.accountMails.sendAccountAccess(ctx, owner, { kind: 'sso_required', providers, link });
  }

  /** Only an administrator can send the first invitation to a user whom an administrator has created. */
  private async inviteAgain(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    const { user } = owner;
    if (await this.oneTimeTokens.wasIssued(ctx, user, 'email_verification')) {
      // Another person may have signed up with the address, so all access to the account ends. Earlier links stop working.
      await this.unconfirmedAccess.strip(ctx, owner, 'account_invited');
      await this.userSelf.invite(ctx, owner);
    } else if (await this.oneTimeTokens.wasIssued(ctx, user, 'invitation')) await this.userSelf.invite(ctx, owner);
    else await this.accountMails.sendAccountAccess(ctx, owner, { kind: 'not_invited' });
  }
}
