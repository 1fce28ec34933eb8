import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { MailedLinksService } from '../links/mailed-links.service.js';
import { isEmailLinkUsable } from './email-verification.service.js';

const PURPOSE = 'email_change_cancel';

export interface CanceledEmailChange {
  readonly userId: string;
  readonly email: string;
  readonly sessionsRevoked: number;
}

/** Cancels email changes with the link that was sent to the current address. */
@Injectable()
export class EmailChangeCancellationService {
  constructor(
    private readonly mailedLinks: MailedLinksService,
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly sessions: SessionService,
    private readonly work: UnitOfWork,
  ) {}

  /** Voids the email change and all other pending links of the account, and ends all sessions. @throws LinkInvalid (400) */
  async cancel(ctx: RequestContext, secret: string): Promise<CanceledEmailChange> {
    return this.mailedLinks.reportReuse(ctx, secret, PURPOSE, async () => {
      const link = await this.mailedLinks.get(ctx, secret, PURPOSE, isEmailLinkUsable);
      return this.mailedLinks.use(
        ctx,
        link,
        secret,
        isEmailLinkUsable,
        async (ctx, { owner: { user, managingOrganization } }) => {
          await this.oneTimeTokens.voidAll(ctx, user);
          const { id: userId, email } = user;
          await this.work.publish(ctx, 'user.email_change_cancelled', managingOrganization, { userId, email }, { userId });
          const loss = unneeded<'loss'>('mailed_link');
          const sessionsRevoked = await this.sessions.revokeAll(ctx, user, 'email_change_cancelled', managingOrganization, loss);
          return { userId, email, sessionsRevoked };
        },
      );
    });
  }
}
