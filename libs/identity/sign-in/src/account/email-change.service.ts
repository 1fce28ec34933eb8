import { Injectable } from '@nestjs/common';
import { emailKey, InvalidRequest, ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PasswordRefused, PasswordsService } from '#identity/credentials';
import { ReauthenticationService } from '#identity/mfa';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { type OwnProfile, type User, UserActivationService, type UserAtHome, UserSelfService } from '#directory/users';
import { bindingOf } from '../email/email-change-binding.js';
import { inEvenTime } from '../even-time.js';
import { AccountMailsService } from '../links/account-mails.service.js';
import { MailBudget } from '../links/mail-budget.js';

/** Longer than it takes to write a mail. */
const STEP_MS = 200;

/** What signed-in users change about their own accounts. What protects the account asks for the password once more. */
@Injectable()
export class AccountChangesService {
  constructor(
    private readonly users: UserActivationService,
    private readonly selfService: UserSelfService,
    private readonly reauthentication: ReauthenticationService,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
    private readonly mails: AccountMailsService,
    private readonly budget: MailBudget,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sets another password, ends the user's other sessions, and voids every pending link and change of the account.
   * @throws CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429), PasswordRefused (422), HashingOverloaded (503)
   */
  async changePassword(ctx: RequestContext, currentPassword: string | undefined, newPassword: string): Promise<void> {
    await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    const prepared = await this.passwords.prepare(ctx, await this.find(ctx), newPassword).catch((error: unknown) => {
      throw error instanceof PasswordRefused ? error.at('/newPassword') : error;
    });
    await this.change(ctx, async (ctx, owner) => {
      await this.passwords.store(ctx, owner, prepared, 'change');
      await this.tokens.voidAll(ctx, owner.user);
      await this.endOtherSessions(ctx, owner, 'password_changed');
      await this.mails.sendPasswordChanged(ctx, owner.home, owner.user);
    });
  }

  /**
   * Requests another email address, which replaces the present one when the link that is sent there is used; the present address gets a
   * notice. An address that has an account gets another mail, in the same time.
   * @throws InvalidRequest (400) for the present address, DomainNotAllowed (422), and as `changePassword` for the proof
   */
  async requestEmailChange(ctx: RequestContext, currentPassword: string | undefined, email: string): Promise<void> {
    const owner = await this.find(ctx);
    if (emailKey(email) === owner.user.emailKey) throw new InvalidRequest([PRESENT_ADDRESS]);
    await this.selfService.demandDomain(ctx, owner, email);
    await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    await inEvenTime(STEP_MS, async () => {
      if (!(await this.budget.spend(owner.home, email))) return;
      await this.change(ctx, async (ctx, { user, home }) => {
        const data = { userId: user.id, email: user.email, newEmail: email };
        await this.work.publish(ctx, 'user.email_change_requested', home, data, { userId: user.id });
        const other = await this.selfService.findByEmail(ctx, user.tenantId, email);
        if (other) return this.mails.sendAccountExists(ctx, home, other);
        const boundTo = bindingOf({ email, sessionId: sessionOf(ctx).id });
        await this.mails.sendEmailChange(ctx, home, user, { email, boundTo });
        await this.mails.sendEmailChangeRequested(ctx, home, user, email);
      });
    });
  }

  /**
   * Changes the fields sent. Another telephone number asks for the password and ends the other sessions.
   * @throws as `changePassword` for the proof
   */
  async changeProfile(ctx: RequestContext, currentPassword: string | undefined, profile: OwnProfile): Promise<User> {
    const { user } = await this.find(ctx);
    const movesPhone = profile.phoneNumber !== undefined && profile.phoneNumber !== user.phoneNumber;
    if (movesPhone) await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    return this.change(ctx, async (ctx, owner) => {
      await this.selfService.changeProfile(ctx, owner, profile);
      if (movesPhone) await this.endOtherSessions(ctx, owner, 'phone_changed');
      return owner.user;
    });
  }

  private async endOtherSessions(ctx: RequestContext, { user, home }: UserAtHome, reason: string): Promise<void> {
    await this.sessions.revokeAll(ctx, user, reason, home, { exceptId: sessionOf(ctx).id });
  }

  private async find(ctx: RequestContext): Promise<UserAtHome> {
    const key = ownUserOf(ctx);
    const owner = await this.users.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    return owner;
  }

  private async change<T>(ctx: RequestContext, work: (ctx: RequestContext, owner: UserAtHome) => Promise<T>): Promise<T> {
    const key = ownUserOf(ctx);
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.users.lock(ctx, key);
      // Suspended or deleted since the guard looked.
      if (owner?.user.status !== 'active') throw new ResourceNotFound('user', key.id);
      return work(ctx, owner);
    });
  }
}

const PRESENT_ADDRESS = {
  pointer: '/email',
  in: 'body',
  code: 'unchanged',
  message: 'email is already the email address of your account.',
} as const;
