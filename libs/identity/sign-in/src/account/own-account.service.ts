import { Injectable } from '@nestjs/common';
import { emailKey, InvalidRequest, ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PasswordRefused, PasswordsService } from '#identity/credentials';
import { ReauthenticationService } from '#identity/mfa';
import { unneeded } from '#directory/privileges';
import { SessionService } from '#directory/sessions';
import {
  type OwnProfile,
  SsoRequirementService,
  type User,
  UserActivationService,
  UserSelfService,
  type UserWithOrganization,
} from '#directory/users';
import { delayToStep } from '../delay-to-step.js';
import { bindingOf } from '../email/email-change-binding.js';
import { AccountMailsService } from '../links/account-mails.service.js';
import { PasswordReplacementService } from '../recovery/password-replacement.service.js';

/** The response time is a multiple of this step. An insert of an email takes less time. */
const STEP_MS = 200;

/** Changes the profile, the email address and the password of the signed-in user. */
@Injectable()
export class OwnAccountService {
  constructor(
    private readonly userActivation: UserActivationService,
    private readonly userSelf: UserSelfService,
    private readonly reauthentication: ReauthenticationService,
    private readonly sessions: SessionService,
    private readonly accountMails: AccountMailsService,
    private readonly passwords: PasswordsService,
    private readonly passwordReplacement: PasswordReplacementService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Updates the given fields. A new phone number requires the current password and ends the user's other sessions.
   * @throws the errors of `changePassword` for the current password
   */
  async updateProfile(ctx: RequestContext, currentPassword: string | undefined, profile: OwnProfile): Promise<User> {
    const { user } = await this.get(ctx);
    const changesPhone = profile.phoneNumber !== undefined && profile.phoneNumber !== user.phoneNumber;
    if (changesPhone) await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    return this.change(ctx, async (ctx, owner) => {
      await this.userSelf.changeProfile(ctx, owner, profile);
      if (changesPhone) {
        const { id: exceptId } = sessionOf(ctx);
        const loss = unneeded<'loss'>('own_account');
        await this.sessions.revokeAll(ctx, owner.user, 'phone_changed', owner.managingOrganization, loss, { exceptId });
      }
      return owner.user;
    });
  }

  /**
   * Sends a link that changes the address to the new address, and a notice to the current address. If the new address belongs to an
   * account, only notifies the owner of this account. The response takes equally long.
   * @throws InvalidRequest (400) for the current address, DomainNotAllowed (422), and the errors of `changePassword` for the
   * current password
   */
  async requestEmailChange(ctx: RequestContext, currentPassword: string | undefined, email: string): Promise<void> {
    const owner = await this.get(ctx);
    if (emailKey(email) === owner.user.emailKey) throw new InvalidRequest([UNCHANGED_ADDRESS]);
    await this.userSelf.assertEmailAllowed(ctx, owner, email);
    await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    await delayToStep(STEP_MS, async () => {
      if (!(await this.accountMails.isMailAllowed(owner.managingOrganization, email))) return;
      await this.change(ctx, async (ctx, { user, managingOrganization }) => {
        const data = { userId: user.id, email: user.email, newEmail: email };
        await this.work.publish(ctx, 'user.email_change_requested', managingOrganization, data, { userId: user.id });
        const existing = await this.userSelf.findByEmail(ctx, user.tenantId, email);
        if (existing) return this.notifyOwner(ctx, existing);
        const boundTo = bindingOf({ email, sessionId: sessionOf(ctx).id });
        await this.accountMails.sendEmailChange(ctx, managingOrganization, user, { email, boundTo });
        await this.accountMails.sendEmailChangeRequested(ctx, managingOrganization, user, email);
      });
    });
  }

  /**
   * Replaces the password, ends the user's other sessions, and voids all pending links and changes of the account.
   * @throws SsoRequired, CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429), PasswordRefused (422),
   * HashingOverloaded (503)
   */
  async changePassword(ctx: RequestContext, currentPassword: string | undefined, newPassword: string): Promise<void> {
    await this.ssoRequirement.assertNotRequired(ctx, await this.get(ctx));
    await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    const prepared = await this.passwords.prepare(ctx, await this.get(ctx), newPassword).catch((error: unknown) => {
      throw error instanceof PasswordRefused ? error.at('/newPassword') : error;
    });
    await this.change(ctx, async (ctx, owner) => {
      await this.passwordReplacement.replace(ctx, owner, prepared, { cause: 'change', exceptSessionId: sessionOf(ctx).id });
    });
  }

  private async notifyOwner(ctx: RequestContext, existing: User): Promise<void> {
    const owner = await this.userSelf.withOrganization(ctx, existing);
    if (owner) await this.accountMails.sendAccountExists(ctx, owner);
  }

  private async get(ctx: RequestContext): Promise<UserWithOrganization> {
    const key = ownUserOf(ctx);
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    return owner;
  }

  /** Runs `change` in a transaction that locks the active user. @throws ResourceNotFound (404) if the user was suspended in the meantime */
  private async change<T>(
    ctx: RequestContext,
    change: (ctx: RequestContext, owner: UserWithOrganization) => Promise<T>,
  ): Promise<T> {
    const key = ownUserOf(ctx);
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      if (owner?.user.status !== 'active') throw new ResourceNotFound('user', key.id);
      return change(ctx, owner);
    });
  }
}

const UNCHANGED_ADDRESS = {
  pointer: '/email',
  in: 'body',
  code: 'unchanged',
  message: 'email is already the email address of your account.',
} as const;
