import { Injectable } from '@nestjs/common';
import { emailKey, InvalidRequest, type RequestContext, sessionOf } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { ReauthenticationService } from '#identity/mfa';
import { type User, UserSelfService } from '#directory/users';
import { bindingOf } from '../email/email-change-binding.js';
import { delayToStep } from '../delay-to-step.js';
import { AccountMailsService } from '../links/account-mails.service.js';
import { OwnAccountService } from './own-account.service.js';

/** The response time is a multiple of this step. An insert of an email takes less time. */
const STEP_MS = 200;

@Injectable()
export class EmailChangeService {
  constructor(
    private readonly ownAccount: OwnAccountService,
    private readonly userSelf: UserSelfService,
    private readonly reauthentication: ReauthenticationService,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends a link that changes the address to the new address, and a notice to the current address. If the new address belongs to an
   * account, only notifies the owner of this account. The response takes equally long.
   * @throws InvalidRequest (400) for the current address, DomainNotAllowed (422), and the errors of `PasswordChangeService.change` for the
   * current password
   */
  async request(ctx: RequestContext, currentPassword: string | undefined, email: string): Promise<void> {
    const owner = await this.ownAccount.get(ctx);
    if (emailKey(email) === owner.user.emailKey) throw new InvalidRequest([UNCHANGED_ADDRESS]);
    await this.userSelf.assertEmailAllowed(ctx, owner, email);
    await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    await delayToStep(STEP_MS, async () => {
      if (!(await this.accountMails.isMailAllowed(owner.managingOrganization, email))) return;
      await this.ownAccount.change(ctx, async (ctx, { user, managingOrganization }) => {
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

  private async notifyOwner(ctx: RequestContext, existing: User): Promise<void> {
    const owner = await this.userSelf.withOrganization(ctx, existing);
    if (owner) await this.accountMails.sendAccountExists(ctx, owner);
  }
}

const UNCHANGED_ADDRESS = {
  pointer: '/email',
  in: 'body',
  code: 'unchanged',
  message: 'email is already the email address of your account.',
} as const;
