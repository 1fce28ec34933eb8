import { Injectable } from '@nestjs/common';
import { DomainError, type OrganizationScope, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import { SignInUsersService, SsoRequirementService, type User, UserAccessService, UserActivationService } from '#directory/users';
import { AccountAccessMailsService } from '../accounts/account-access-mails.service.js';
import { delayToStep } from '../delay-to-step.js';
import { AccountMailsService } from '../links/account-mails.service.js';

const TO_OWNER = unneeded<'sign_in'>('link_to_owner');

/** The response time is a multiple of this step, so that the time doesn't reveal whether the account exists. */
const STEP_MS = 200;

/** The user is not active: 409. */
export class UserNotActive extends DomainError {
  readonly code = 'user_not_active';
  readonly kind = 'conflict';
  constructor({ id, status }: Pick<User, 'id' | 'status'>) {
    super(
      status === 'pending'
        ? `The user "${id}" is pending. A pending user sets the first password with an invitation, so resend the invitation instead.`
        : `The user "${id}" is ${status}, so the password can't be reset. Activate or restore the user first.`,
    );
  }
}

/** Sends password reset links. */
@Injectable()
export class PasswordResetRequestService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly signInUsers: SignInUsersService,
    private readonly userActivation: UserActivationService,
    private readonly userAccess: UserAccessService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly accountAccessMails: AccountAccessMailsService,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends the link if the account is active and can have a password. For another existing account, sends the email of
   * `AccountAccessMailsService`. The response and its time don't reveal whether the account exists.
   */
  async request(ctx: RequestContext, account: { organization: string; email: string }): Promise<void> {
    await delayToStep(STEP_MS, async () => {
      // The same statements for a nonexistent account, so that the response time reveals nothing.
      const organization = await this.organizationScopes.findScope(ctx, account.organization);
      const owner = await this.signInUsers.find(ctx, organization, account.email);
      if (organization?.status !== 'active') return;
      if (!(await this.accountMails.isMailAllowed(organization, account.email))) return;
      await this.work.run(ctx, async (ctx) =>
        owner
          ? this.sendTo(ctx, organization, owner.user)
          : this.accountAccessMails.sendOtherOrganization(ctx, organization, account.email),
      );
    });
  }

  /**
   * Sends a user, for an administrator, a link that sets a new password. The current password works until the link is used. Administrators
   * neither choose nor receive passwords (OWASP ASVS 6.4.6).
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn, SsoRequired (403), UserNotActive (409)
   */
  async requestForUser(ctx: RequestContext, userId: string): Promise<{ user: User; expiresAt: Date }> {
    return this.work.run(ctx, async (ctx) => {
      const { user, managingOrganization } = await this.userAccess.lockForChange(ctx, userId);
      const signIn = await this.userAccess.assertCanChangeSignIn(ctx, user);
      if (user.status !== 'active') throw new UserNotActive(user);
      await this.ssoRequirement.assertNotRequired(ctx, { user, managingOrganization });
      const expiresAt = await this.accountMails.sendPasswordReset(ctx, managingOrganization, user, signIn);
      const data = {
        userId: user.id,
        email: user.email,
        requestedBy: 'administrator',
        expiresAt: expiresAt.toISOString(),
      } as const;
      await this.work.publish(ctx, 'user.password_reset_requested', managingOrganization, data, { userId: user.id });
      return { user, expiresAt };
    });
  }

  private async sendTo(ctx: RequestContext, organization: OrganizationScope, found: User): Promise<void> {
    const owner = await this.userActivation.lock(ctx, found);
    if (!owner || owner.user.status === 'deleted' || owner.user.emailKey !== found.emailKey) return;
    // In a suspended organization, links don't work.
    if (owner.managingOrganization.status !== 'active') return;
    if (await this.accountAccessMails.send(ctx, owner)) return;
    const { id: userId, email } = owner.user;
    const expiresAt = (await this.accountMails.sendPasswordReset(ctx, organization, owner.user, TO_OWNER)).toISOString();
    const data = { userId, email, requestedBy: 'user', expiresAt } as const;
    await this.work.publish(ctx, 'user.password_reset_requested', owner.managingOrganization, data, { userId });
  }
}
