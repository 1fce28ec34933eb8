import { Injectable } from '@nestjs/common';
import { type OrganizationScope, ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OneTimeTokenService } from '#directory/sessions';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import { AccountMailsService } from '../links/account-mails.service.js';

@Injectable()
export class EmailVerificationRequestService {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly userActivation: UserActivationService,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends the link to the signed-in user, unless the user has confirmed the address. Returns the expiry of the link. Earlier links stop working.
   * @throws RateLimited (429)
   */
  async send(ctx: RequestContext): Promise<{ email: string; expiresAt?: Date }> {
    const key = ownUserOf(ctx);
    const signedInUser = await this.userActivation.find(ctx, key);
    if (signedInUser && !signedInUser.user.emailConfirmed)
      await this.accountMails.assertMailAllowed(signedInUser.managingOrganization, signedInUser.user.email);
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      if (!owner) throw new ResourceNotFound('user', key.id);
      const { user, managingOrganization } = owner;
      if (user.emailConfirmed) return { email: user.email };
      await this.oneTimeTokens.voidAll(ctx, user, 'email_verification');
      return {
        email: user.email,
        expiresAt: await this.accountMails.sendVerification(ctx, managingOrganization, user, 'address'),
      };
    });
  }

  /**
   * Sends a pending user the link that activates the account. Sends nothing if the address has received too many emails. Earlier links stop
   * working.
   */
  async sendToPending(ctx: RequestContext, organization: OrganizationScope, { user }: UserWithOrganization): Promise<void> {
    if (!(await this.accountMails.isMailAllowed(organization, user.email))) return;
    await this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, user);
      if (owner?.user.status !== 'pending') return;
      await this.oneTimeTokens.voidAll(ctx, user, 'email_verification');
      await this.accountMails.sendVerification(ctx, organization, owner.user, 'sign_up');
    });
  }
}
