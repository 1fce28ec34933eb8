import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { SsoRequirementService, UserActivationService } from '#directory/users';
import { SignInAccountsService } from '../accounts/sign-in-accounts.service.js';
import { delayToStep } from '../delay-to-step.js';
import { AccountMailsService } from '../links/account-mails.service.js';
import { MailLimitService } from '../links/mail-limit.service.js';

/** The response time is a multiple of this step, so that the time doesn't reveal whether the account exists. */
const STEP_MS = 200;

@Injectable()
export class PasswordResetRequestService {
  constructor(
    private readonly signInAccounts: SignInAccountsService,
    private readonly userActivation: UserActivationService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly mailLimit: MailLimitService,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /** Sends the link if the account is active and can have a password. The response and its time don't reveal whether the account exists. */
  async request(ctx: RequestContext, account: { organization: string; email: string }): Promise<void> {
    await delayToStep(STEP_MS, async () => {
      const { organization, owner } = await this.signInAccounts.find(ctx, account);
      if (!organization || organization.status !== 'active' || owner?.user.status !== 'active') return;
      if ((await this.ssoRequirement.get(ctx, owner)) === 'required') return;
      if (!(await this.mailLimit.isAllowed(organization, account.email))) return;
      await this.work.run(ctx, async (ctx) => {
        const locked = await this.userActivation.lock(ctx, owner.user);
        if (locked?.user.status !== 'active' || locked.user.emailKey !== owner.user.emailKey) return;
        const { id: userId, email } = locked.user;
        const expiresAt = (await this.accountMails.sendPasswordReset(ctx, organization, locked.user)).toISOString();
        const data = { userId, email, requestedBy: 'user', expiresAt } as const;
        await this.work.publish(ctx, 'user.password_reset_requested', locked.managingOrganization, data, { userId });
      });
    });
  }
}
